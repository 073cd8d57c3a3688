import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Varlink

/// Performs what `Publication` decides about one activity of this process: the call that holds it at the daemon, and
/// the events that arrive through that call.
@Loop
final class PublicationShell {
  private let core: ActivityCore
  private var machine = Publication()
  /// The call that holds the activity at the daemon, and the one that makes it current again.
  private var calls: [Reconnection.Number: ControlCall<BecomeCurrent>] = [:]
  private var update: ControlCall<UpdateActivity>?
  private var resignation: ControlCall<ResignCurrent>?
  /// What the daemon was last sent; nil if it is not known whether that arrived.
  private var sent: ControlActivity?
  private var retryTimer: EventLoop.Timer?
  private var changeTimer: EventLoop.Timer?
  private var streams: [Int: IncomingStream] = [:]
  private var lastStream = 0

  init(_ core: ActivityCore) {
    self.core = core
    retryTimer = EventLoop.Timer { [weak self] in self?.handle(.retry) }
    changeTimer = EventLoop.Timer { [weak self] in self?.handle(.gathered) }
  }

  func handle(_ event: Publication.Event) {
    let effects = machine.handle(event, isEligible: core.contents.isEligibleForHandoff, at: Loop.now)
    for effect in effects { perform(effect) }
  }

  private func perform(_ effect: Publication.Effect) {
    switch effect {
    case .connection(.call(let number)): becomeCurrent(number)
    case .connection(.release(let number)): calls[number] = nil
    case .connection(.wake(let instant)): retryTimer?.set(instant)
    // The machine gives up the calls itself.
    case .connection(.tellLost), .connection(.tellFailed): break
    case .takeChange: core.takeChange()
    case .update(let isSaved): sendUpdate(isSaved: isSaved)
    case .cancelUpdate: update = nil
    case .forgetUpdate: sent = nil
    case .resign: resign()
    case .save: save()
    case .tellContinued: notify { $0.userActivityWasContinued($1) }
    case .gather(let instant): changeTimer?.set(instant)
    }
  }

  // MARK: To the daemon

  private func becomeCurrent(_ number: Reconnection.Number) {
    do throws(HandoffFailure) {
      let activity = try core.published()
      do throws(ControlError) {
        calls[number] = try ControlCall(
          BecomeCurrent.self,
          BecomeCurrent.Parameters(activity: activity),
          mode: .more
        ) { [weak self] result in
          self?.received(result, of: number)
        }
        sent = activity
      } catch {
        handle(.disconnected)
      }
    } catch {
      tell(error)
      handle(.refused)
    }
  }

  private func sendUpdate(isSaved: Bool) {
    update = nil
    do throws(HandoffFailure) {
      var activity = try core.published()
      // The daemon waits for a complete state. Another message says that the app wants to be asked again.
      if isSaved { activity.needsSave = false }
      guard isSaved || activity != sent else { return handle(.updated) }
      sent = activity
      update = try? ControlCall(UpdateActivity.self, UpdateActivity.Parameters(activity: activity)) {
        [weak self] result in
        self?.updated(result)
      }
      // If the daemon accepts no call, it is tried again later.
      if update == nil { handle(.updateDisconnected) }
    } catch {
      tell(error)
      handle(.updateRefused)
    }
  }

  private func updated(_ result: Result<UpdateActivity.Reply, ControlError>) {
    update = nil
    switch result {
    case .success: handle(.updated)
    case .failure(.failed(let failure)) where failure.reason == .activityNotFound: handle(.updated)
    case .failure(.failed(let failure)):
      tell(HandoffFailure(failure.reason, failure.message))
      handle(.updateRefused)
    case .failure: handle(.updateUnanswered)
    }
  }

  private func resign() {
    resignation = try? ControlCall(ResignCurrent.self, ResignCurrent.Parameters(id: core.id)) { [weak self] result in
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
      tell(HandoffFailure(failure.reason, failure.message))
      handle(.refused)
    case .failure: handle(.disconnected)
    }
  }

  private func received(_ reply: BecomeCurrent.Reply, of number: Reconnection.Number) {
    switch reply.event {
    case .current: handle(.current(number))
    case .resigned: handle(.displaced(isShuttingDown: reply.reason == .shuttingDown))
    case .willSave: handle(.willSave)
    case .continued: handle(.continued)
    case .streamRequested: reply.stream.map(accept)
    }
  }

  // MARK: To the app

  private func save() {
    SaveRound.run(core) { [weak self] in
      guard let self else { return }
      self.handle(.saved(isAskedAgain: self.core.contents.needsSave))
    }
  }

  /// Tells the app why the activity is not offered.
  private func tell(_ failure: HandoffFailure) {
    let core = core
    core.callbacks.async {
      guard let activity = core.activity, !core.isInvalid else { return }
      if let delegate = core.delegate {
        delegate.userActivity(activity, didFailToBecomeCurrentWithError: failure.cocoaError)
      } else {
        Complaint.write("\(core.activityType) is not offered: \(failure.message)")
      }
    }
  }

  private func notify(_ body: @escaping @Sendable (any NSUserActivityDelegate, NSUserActivity) -> Void) {
    let core = core
    core.callbacks.async {
      guard let activity = core.activity, let delegate = core.delegate, !core.isInvalid else { return }
      body(delegate, activity)
    }
  }

  // MARK: Streams

  private func accept(_ token: String) {
    guard core.contents.supportsContinuationStreams, core.delegate != nil else { return }
    lastStream += 1
    let number = lastStream
    let core = core
    streams[number] = IncomingStream(accepting: token) { [weak self] result in
      self?.streams[number] = nil
      guard case .success(let pair) = result else { return }
      core.callbacks.async {
        guard let activity = core.activity, let delegate = core.delegate, !core.isInvalid else { return }
        let (input, output) = pair.take()
        delegate.userActivity(activity, didReceive: input, outputStream: output)
      }
    }
  }
}
