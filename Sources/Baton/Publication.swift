import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import Varlink

/// One activity of this process at the daemon: the call that holds it there, and the events that arrive through that
/// call.
///
/// `isWanted` is what the app has asked for. It does not change if the daemon goes away: the activity is published
/// again as soon as there is a daemon.
@Loop
final class Publication {
  private let core: ActivityCore
  private var isWanted = false
  /// The call that holds the activity at the daemon.
  private var call: ControlCall<BecomeCurrent>?
  /// The call that makes the activity current again. It replaces `call` with its first reply.
  private var renewal: ControlCall<BecomeCurrent>?
  private var update: ControlCall<UpdateActivity>?
  private var resignation: ControlCall<ResignCurrent>?
  /// What the daemon has, or was sent.
  private var sent: ControlActivity?
  private var isChanged = false
  /// Whether to make the activity current (again) as soon as nothing else is in progress.
  private var isRenewalDue = false
  /// Whether the app is being asked for its state.
  private var isSaving = false
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?
  /// Delays changes, because apps change several properties one after the other. They are sent together.
  private var changeTimer: EventLoop.Timer?
  private var streams: [Int: IncomingStream] = [:]
  private var lastStream = 0

  init(_ core: ActivityCore) {
    self.core = core
    timer = EventLoop.Timer { [weak self] in self?.renew() }
    changeTimer = EventLoop.Timer { [weak self] in self?.proceed() }
  }

  func becomeCurrent() {
    isWanted = true
    renew()
  }

  func resign() {
    guard isWanted else { return }
    isWanted = false
    timer?.set(nil)
    renewal = nil
    guard call != nil else { return }
    resignation = try? ControlCall(ResignCurrent.self, ResignCurrent.Parameters(id: core.id)) { [weak self] result in
      self?.resignation = nil
      // It must not stay offered. Without the call that holds it, it does not.
      if case .failure = result { self?.call = nil }
      self?.proceed()
    }
    if resignation == nil { call = nil }
  }

  func close() {
    isWanted = false
    timer?.set(nil)
    changeTimer?.set(nil)
    (call, renewal, update, resignation) = (nil, nil, nil, nil)
    streams = [:]
  }

  /// Called when the app has changed something.
  ///
  /// - Parameter isUrgent: Whether the daemon must know immediately.
  func changed(isUrgent: Bool) {
    isChanged = true
    guard !isUrgent else { return proceed() }
    if changeTimer?.deadline == nil { changeTimer?.set(Loop.now + Limits.activityChangeTime) }
  }

  // MARK: To the daemon

  private func renew() {
    isRenewalDue = true
    proceed()
  }

  /// Sends what the app has asked for, one call after the other. Each call has its own connection, so it could overtake
  /// one that the daemon has not answered yet.
  private func proceed() {
    guard isChanged || isRenewalDue else { return }
    // If the activity must no longer be offered, that waits neither for an answer nor for an app that is saving.
    if isWanted, !core.contents.isEligibleForHandoff, isSaving || update != nil || renewal != nil { return withdraw() }
    // While the app updates its state, no part of it is sent.
    guard !isSaving, update == nil, renewal == nil, resignation == nil else { return }
    if isRenewalDue {
      connect()
    } else if call != nil {
      sendChange()
    } else if isWanted, timer?.deadline == nil {
      connect()
    } else {
      // Another attempt sends it, or it is not current.
      takeChange()
    }
  }

  private func takeChange() {
    core.takeChange()
    isChanged = false
  }

  /// Makes the daemon drop the activity immediately. It is published again soon, but not before the daemon has dropped
  /// it.
  private func withdraw() {
    (call, renewal, update) = (nil, nil, nil)
    sent = nil
    timer?.set(Loop.now + backoff.next())
  }

  private func connect() {
    isRenewalDue = false
    timer?.set(nil)
    guard isWanted else { return }
    takeChange()
    do throws(HandoffFailure) {
      let activity = try core.published()
      do throws(ControlError) {
        renewal = try ControlCall(BecomeCurrent.self, BecomeCurrent.Parameters(activity: activity), mode: .more) {
          [weak self] result in
          self?.received(result)
        }
        sent = activity
      } catch {
        failed(error)
      }
    } catch {
      refused(error)
    }
  }

  private func sendChange() {
    takeChange()
    do throws(HandoffFailure) {
      send(try core.published())
    } catch {
      refused(error)
    }
  }

  private func send(_ activity: ControlActivity) {
    guard activity != sent else { return }
    sent = activity
    update = try? ControlCall(UpdateActivity.self, UpdateActivity.Parameters(activity: activity)) {
      [weak self] result in
      guard let self else { return }
      self.update = nil
      switch result {
      case .success: break
      case .failure(.failed(let failure)) where failure.reason == .activityNotFound: break
      case .failure(.failed(let failure)): self.refused(HandoffFailure(failure.reason, failure.message))
      // It is not known whether the update arrived.
      case .failure: self.sent = nil
      }
      self.proceed()
    }
    // If the daemon accepts no call, it is tried again later.
    if update == nil { failed(.disconnected) }
  }

  /// Reacts to a daemon that does not accept the activity as it is. It is not offered until the app changes it.
  private func refused(_ failure: HandoffFailure) {
    renewal = nil
    call = nil
    sent = nil
    let core = core
    core.callbacks.async {
      guard let activity = core.activity, !core.isInvalid else { return }
      if let delegate = core.delegate {
        delegate.userActivity(activity, didFailToBecomeCurrentWithError: failure.cocoaError)
      } else {
        Complaint.write("\(core.activityType) is not offered: \(failure.message)")
      }
    }
    // It may be acceptable by now.
    proceed()
  }

  // MARK: From the daemon

  private func received(_ result: Result<BecomeCurrent.Reply, ControlError>) {
    switch result {
    case .success(let reply): handle(reply)
    case .failure(.failed(let failure)) where failure.reason != .shuttingDown:
      refused(HandoffFailure(failure.reason, failure.message))
    case .failure(let error): failed(error)
    }
  }

  /// Reacts to a daemon that is not there, or has gone away.
  private func failed(_ error: ControlError) {
    (call, renewal) = (nil, nil)
    sent = nil
    guard isWanted else { return }
    timer?.set(Loop.now + backoff.next())
  }

  private func handle(_ reply: BecomeCurrent.Reply) {
    switch reply.event {
    case .current:
      if let renewal { (call, self.renewal) = (renewal, nil) }
      backoff.reset()
      proceed()
    case .resigned:
      // A daemon that stops will be started again. But an activity that another one has replaced stays replaced.
      if reply.reason != .shuttingDown, renewal == nil, !isRenewalDue { isWanted = false }
    case .willSave: save()
    case .continued:
      // This applies unless the app has made it current again in the meantime.
      if renewal == nil, !isRenewalDue { isWanted = false }
      notify { $0.userActivityWasContinued($1) }
    case .streamRequested: reply.stream.map(accept)
    }
  }

  private func notify(_ body: @escaping @Sendable (any NSUserActivityDelegate, NSUserActivity) -> Void) {
    let core = core
    core.callbacks.async {
      guard let activity = core.activity, let delegate = core.delegate, !core.isInvalid else { return }
      body(delegate, activity)
    }
  }

  // MARK: Saving

  private func save() {
    guard !isSaving else { return }
    isSaving = true
    SaveRound.run(core) { [weak self] in
      guard let self else { return }
      self.isSaving = false
      guard self.core.contents.isEligibleForHandoff else {
        return self.withdraw()
      }
      self.takeChange()
      do throws(HandoffFailure) {
        var activity = try self.core.published()
        // The daemon waits for a complete state. Another message says that the app wants to be asked again.
        let isAskedAgain = activity.needsSave
        activity.needsSave = false
        self.sent = nil
        self.send(activity)
        self.isChanged = isAskedAgain
        self.proceed()
      } catch {
        self.refused(error)
      }
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
