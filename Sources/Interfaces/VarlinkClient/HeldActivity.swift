// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Varlink

/// The source of a ``HeldActivity``'s state, which is also informed about its events.
@Loop
package protocol ActivityHolder: AnyObject {
  /// Whether the activity may be offered.
  var isEligible: Bool { get }
  /// The ID of the only team that sees the activity. Nil for all teams of the user.
  var team: String? { get }
  /// The only device that sees the activity. Nil if it is to be the user's current one.
  var recipient: DeviceID? { get }
  /// Returns what to publish: nil if it cannot be published, which the holder has told whoever needs to know.
  func published() -> ControlActivity?
  /// The changes so far are about to be sent. Later changes are news.
  func takeChange()
  /// Another machine fetches the activity. Brings its state up to date.
  ///
  /// - Parameter completion: Called once. Its argument is whether the holder wants to be asked again next time.
  func save(_ completion: @escaping @Loop (Bool) -> Void)
  /// The daemon refuses the activity as it is.
  func wasRefused(_ failure: ControlFailure)
  /// The activity is current from now on.
  func becameCurrent()
  /// Another activity is current instead, or the daemon stops and will be asked again.
  func wasResigned(_ reason: Reason?)
  /// The daemon has disconnected. The next one does not know the activity, unless it is published again.
  func daemonLeft()
  /// Another machine has continued the activity.
  ///
  /// - Parameter device: The name of that machine.
  func wasContinued(on device: String?)
  /// The machine that continued the activity wants a stream.
  ///
  /// - Parameter stream: The value for `AcceptStream`, which must be called within `Limits.streamAcceptTime`.
  func streamWasRequested(_ stream: String)
  /// The same for a holder that answers some machines in another way than others.
  ///
  /// - Parameters:
  ///   - device: The name of the machine.
  ///   - team: The ID of its team. Nil if the daemon is older than this program.
  func streamWasRequested(_ stream: String, by device: String, in team: String?)
}

extension ActivityHolder {
  package var isEligible: Bool { true }
  package var team: String? { nil }
  package var recipient: DeviceID? { nil }
  package func becameCurrent() {}
  package func wasResigned(_ reason: Reason?) {}
  package func daemonLeft() {}
  package func streamWasRequested(_ stream: String, by device: String, in team: String?) { streamWasRequested(stream) }
}

/// An activity of this process at the daemon: performs what ``Publication`` decides. Releasing it withdraws the
/// activity, and other machines can no longer open streams of it.
@Loop
package final class HeldActivity {
  private weak var holder: (any ActivityHolder)?
  private let path: String?
  private var machine = Publication()
  /// The call that holds the activity at the daemon, and the one that makes it current again.
  private var calls: [Reconnection.Number: any Sendable] = [:]
  private var update: ControlCall<UpdateActivity>?
  private var resignation: ControlCall<ResignCurrent>?
  private let id: ActivityID
  /// The state that was last sent to the daemon; nil if it is unknown whether it arrived.
  private var sent: ControlActivity?
  private var retryTimer: EventLoop.Timer?
  private var changeTimer: EventLoop.Timer?

  /// - Parameters:
  ///   - id: The ID of every activity that the holder publishes here.
  ///   - path: The path of the control socket. Nil for the user's default daemon.
  package init(_ id: ActivityID, path: String? = nil, holder: any ActivityHolder) {
    (self.id, self.path, self.holder) = (id, path, holder)
    retryTimer = EventLoop.Timer { [weak self] in self?.handle(.retry) }
    changeTimer = EventLoop.Timer { [weak self] in self?.handle(.gathered) }
  }

  /// Whether the activity is current, or becomes current as soon as there is a daemon.
  package var isWanted: Bool { machine.isWanted }

  /// Makes the activity the user's current one, now and again after a restart of the daemon, until another activity
  /// becomes current. If the holder names a recipient, sends the activity there instead.
  package func becomeCurrent() { handle(.becameCurrent) }

  /// Ends the offer. Streams of its continuation remain.
  package func resign() { handle(.resigned) }

  /// The state has changed. Changes that follow one another quickly are sent together.
  ///
  /// - Parameter isUrgent: Whether the daemon must know immediately.
  package func changed(isUrgent: Bool = false) { handle(.changed(isUrgent: isUrgent)) }

  private func handle(_ event: Publication.Event) {
    let effects = machine.handle(event, isEligible: holder?.isEligible ?? false, at: Loop.now)
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: Publication.Effect) {
    switch effect {
    case .connection(.call(let number)): becomeCurrent(number)
    case .connection(.release(let number)): calls[number] = nil
    case .connection(.wake(let instant)): retryTimer?.set(instant)
    // The machine gives up the calls itself.
    case .connection(.tellLost), .connection(.tellFailed): break
    case .takeChange: holder?.takeChange()
    case .update(let isSaved): sendUpdate(isSaved: isSaved)
    case .cancelUpdate: update = nil
    case .forgetUpdate: sent = nil
    case .resign: sendResignation()
    case .save: holder?.save { [weak self] isAskedAgain in self?.handle(.saved(isAskedAgain: isAskedAgain)) }
    case .tellContinued(let device): holder?.wasContinued(on: device)
    case .gather(let instant): changeTimer?.set(instant)
    }
  }

  // MARK: To the daemon

  private func becomeCurrent(_ number: Reconnection.Number) {
    guard let holder, let activity = holder.published() else { return handle(.refused) }
    do throws(ControlError) {
      if let recipient = holder.recipient {
        let parameters = SendActivity.Parameters(activity: activity, deviceID: recipient, team: holder.team)
        calls[number] = try ControlCall(SendActivity.self, parameters, mode: .more, path: path) { [weak self] result in
          self?.received(result.map(BecomeCurrent.Reply.init), of: number)
        }
      } else {
        let parameters = BecomeCurrent.Parameters(activity: activity, team: holder.team)
        calls[number] = try ControlCall(BecomeCurrent.self, parameters, mode: .more, path: path) { [weak self] result in
          self?.received(result, of: number)
        }
      }
      sent = activity
    } catch {
      handle(.disconnected)
    }
  }

  private func sendUpdate(isSaved: Bool) {
    update = nil
    guard var activity = holder?.published() else { return handle(.updateRefused) }
    // The daemon waits for a complete state. Another message says that the app wants to be asked again.
    if isSaved { activity.needsSave = false }
    guard isSaved || activity != sent else { return handle(.updated) }
    sent = activity
    let parameters = UpdateActivity.Parameters(activity: activity)
    update = try? ControlCall(UpdateActivity.self, parameters, path: path) { [weak self] result in
      self?.updated(result)
    }
    // If the daemon accepts no call, it is tried again later.
    if update == nil { handle(.updateDisconnected) }
  }

  private func updated(_ result: Result<UpdateActivity.Reply, ControlError>) {
    update = nil
    switch result {
    case .success: handle(.updated)
    case .failure(.failed(let failure)) where failure.reason == .activityNotFound: handle(.updated)
    case .failure(.failed(let failure)):
      holder?.wasRefused(failure)
      handle(.updateRefused)
    case .failure: handle(.updateUnanswered)
    }
  }

  private func sendResignation() {
    let parameters = ResignCurrent.Parameters(id: id)
    resignation = try? ControlCall(ResignCurrent.self, parameters, path: path) { [weak self] result in
      self?.resignation = nil
      let isDone = if case .success = result { true } else { false }
      self?.handle(.resignationEnded(isDone: isDone))
    }
    if resignation == nil { handle(.resignationEnded(isDone: false)) }
  }

  // MARK: From the daemon

  private func received(_ result: Result<BecomeCurrent.Reply, ControlError>, of number: Reconnection.Number) {
    switch result {
    case .success(let reply): received(reply, of: number)
    case .failure(.failed(let failure)) where failure.reason != .shuttingDown:
      holder?.wasRefused(failure)
      handle(.refused)
    case .failure:
      handle(.disconnected)
      holder?.daemonLeft()
    }
  }

  private func received(_ reply: BecomeCurrent.Reply, of number: Reconnection.Number) {
    switch reply.event {
    case .current:
      handle(.current(number))
      holder?.becameCurrent()
    case .resigned:
      handle(.displaced(isShuttingDown: reply.reason == .shuttingDown))
      holder?.wasResigned(reply.reason)
    case .willSave: handle(.willSave)
    case .continued: handle(.continued(device: reply.device))
    case .streamRequested:
      guard let stream = reply.stream else { return }
      holder?.streamWasRequested(stream, by: reply.device ?? "", in: reply.team)
    }
  }
}
