// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import Search
import Varlink

/// Sends this process's changes to the user's search index, one after the other and in order. The app does not wait for
/// them. While there is no index, they wait here.
@Loop
package final class IndexQueue {
  /// The maximum number of changes that an app keeps until the index has taken them. Beyond that, the oldest that
  /// nobody waits for is dropped.
  package nonisolated static let waitingIndexChanges = 512
  /// The time after which an app that waits for the index learns that it does not answer.
  package nonisolated static let indexCallTime = Duration.seconds(20)
  /// The time after which a donation that the index did not take is given up. An agent is started sooner.
  package nonisolated static let donationTime = Duration.seconds(10 * 60)
  /// The first and the longest pause after the index did not answer.
  private static let indexBackoff = Duration.milliseconds(200)...Duration.seconds(30)

  package static let shared = IndexQueue()
  private static var others: [String: IndexQueue] = [:]

  /// The queue for the index at this socket; nil for the usual one.
  package static func at(_ path: String?) -> IndexQueue {
    guard let path else { return shared }
    let queue = others[path] ?? IndexQueue(path: path)
    others[path] = queue
    return queue
  }

  package typealias Completion = @Loop @Sendable (Result<Void, ControlError>) -> Void

  private struct Waiting {
    let change: IndexChange
    let deadline: ContinuousClock.Instant
    /// Nil if nobody waits for the result.
    let completion: Completion?
  }

  private let path: String?
  private var waiting: [Waiting] = []
  private var call: AnyObject?
  private var timer: EventLoop.Timer?
  private var backoff = Backoff(IndexQueue.indexBackoff)

  /// - Parameter path: The path of the index's socket; nil for the usual one.
  package init(path: String? = nil) {
    self.path = path
    timer = EventLoop.Timer { [weak self] in self?.sendNext() }
  }

  /// Whether there is the socket of an index, which may be about to start.
  package var hasSocket: Bool { SearchSocket.exists(path) }

  /// - Parameter completion: Called once: when the index has made the change, or with the reason why it has not.
  package func add(_ change: IndexChange, completion: Completion? = nil) {
    let time = completion == nil ? Self.donationTime : Self.indexCallTime
    waiting.append(Waiting(change: change, deadline: Loop.now + time, completion: completion))
    if waiting.count > Self.waitingIndexChanges {
      // The first one may be on its way.
      let index = waiting.dropFirst().firstIndex { $0.completion == nil } ?? waiting.endIndex - 1
      let dropped = waiting.remove(at: index)
      dropped.completion?(.failure(.failed(ControlFailure(.limitReached))))
    }
    if call == nil, timer?.deadline == nil { sendNext() }
  }

  /// Adds a change whose outcome nobody needs.
  ///
  /// - Parameter finally: Called once: when the index has answered, or immediately if there is no index. The change
  ///   then waits as a donation does.
  package func add(_ change: IndexChange, finally: @escaping @Loop @Sendable () -> Void) {
    guard hasSocket else {
      add(change)
      return finally()
    }
    add(change) { _ in finally() }
  }

  /// The number of changes that the index has not made yet.
  package var count: Int { waiting.count }

  private func sendNext() {
    guard call == nil, let next = waiting.first else { return }
    do throws(ControlError) {
      switch next.change {
      case .index(let parameters): try begin(IndexEntries.self, parameters)
      case .delete(let parameters): try begin(DeleteEntries.self, parameters)
      case .setClientState(let parameters): try begin(SetClientState.self, parameters)
      }
    } catch {
      answered(.failure(error))
    }
  }

  private func begin<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws(ControlError) {
    // Erasing deleted text can take longer than other calls.
    call = try ControlCall(method, parameters, path: path, isPatient: method == DeleteEntries.self) {
      [weak self] result in
      self?.call = nil
      self?.answered(result.map { _ in })
    }
  }

  private func answered(_ result: Result<Void, ControlError>) {
    if case .failure(let error) = result, Self.isTemporary(error) { return wait(error) }
    guard let next = waiting.first else { return }
    waiting.removeFirst()
    backoff.reset()
    next.completion?(result)
    // The completion may have added something.
    if call == nil { sendNext() }
  }

  /// Tries again later, and gives up what has waited for too long.
  private func wait(_ error: ControlError) {
    let now = Loop.now
    let late = waiting.filter { $0.deadline <= now }
    waiting.removeAll { $0.deadline <= now }
    for change in late { change.completion?(.failure(error)) }
    guard call == nil, let deadline = waiting.map(\.deadline).min() else { return }
    timer?.set(min(deadline, now + backoff.next()))
  }

  /// Whether the same call may succeed later.
  private static func isTemporary(_ error: ControlError) -> Bool {
    switch error {
    case .searchNotRunning, .notRunning, .timedOut, .disconnected, .system: true
    case .failed(let failure): failure.reason == .indexUnavailable || failure.reason == .shuttingDown
    case .notPermitted, .foreignServer, .tooLong, .protocolViolation, .refused: false
    }
  }
}
