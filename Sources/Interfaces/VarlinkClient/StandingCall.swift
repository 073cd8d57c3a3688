// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Varlink

/// A call that is made again whenever it ends, for as long as this object exists. `Reconnection` decides when.
@Loop
package final class StandingCall<M: Method> {
  package enum Event {
    case replied(M.Reply)
    /// The call that stood has ended.
    case lost
    /// No call stands, or the one that stands could not be replaced. The next attempt is planned.
    case failed(ControlError)
  }

  package private(set) var parameters: M.Parameters
  private let mode: Call.Mode
  private let path: String?
  private let isPatient: Bool
  private let lowest: Int32
  private let pause: @Loop (ControlError) -> Duration?
  private var handler: (@Loop (Event) -> Void)?
  private var machine = Reconnection()
  private var calls: [Reconnection.Number: ControlCall<M>] = [:]
  private var timer: EventLoop.Timer?

  /// - Parameters:
  ///   - mode: See ``ControlCall``, also for `path`, `isPatient` and `lowest`.
  ///   - pause: Returns the pause after an error; nil for the back-off.
  ///   - handler: Not called after ``cancel()``.
  package init(
    _: M.Type,
    _ parameters: M.Parameters,
    mode: Call.Mode = .more,
    path: String? = nil,
    isPatient: Bool = false,
    lowest: Int32 = 3,
    pause: @escaping @Loop (ControlError) -> Duration? = { _ in nil },
    handler: @escaping @Loop (Event) -> Void
  ) {
    self.parameters = parameters
    self.mode = mode
    self.path = path
    self.isPatient = isPatient
    self.lowest = lowest
    self.pause = pause
    self.handler = handler
    timer = EventLoop.Timer { [weak self] in self?.handle(.wake) }
  }

  /// Makes the first call. The handler may be called before this returns.
  package func begin() { handle(.call) }

  /// Calls with other parameters. A call that stands stays until the new one gets its first reply.
  package func replace(_ parameters: M.Parameters) {
    self.parameters = parameters
    handle(.call)
  }

  /// Ends the call. The handler is no longer called.
  package func cancel() {
    handler = nil
    handle(.stop)
  }

  /// Whether a call stands.
  package var isStanding: Bool { machine.isStanding }

  /// When the next attempt is made; nil if none is planned.
  package var nextAttempt: ContinuousClock.Instant? { timer?.deadline }

  private func handle(_ event: Reconnection.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
  }

  private func perform(_ effect: Reconnection.Effect) {
    switch effect {
    case .call(let number): call(number)
    case .release(let number): calls[number] = nil
    case .wake(let instant): timer?.set(instant)
    case .tellLost: handler?(.lost)
    case .tellFailed(let error): handler?(.failed(error))
    }
  }

  private func call(_ number: Reconnection.Number) {
    do throws(ControlError) {
      calls[number] = try ControlCall(
        M.self,
        parameters,
        mode: mode,
        path: path,
        isPatient: isPatient,
        lowest: lowest
      ) { [weak self] result in
        self?.received(result, of: number)
      }
    } catch {
      failed(number, error)
    }
  }

  private func received(_ result: Result<M.Reply, ControlError>, of number: Reconnection.Number) {
    switch result {
    case .success(let reply):
      handle(.replied(number))
      handler?(.replied(reply))
    case .failure(let error): failed(number, error)
    }
  }

  private func failed(_ number: Reconnection.Number, _ error: ControlError) {
    handle(.failed(number, error, pause: pause(error)))
  }
}
