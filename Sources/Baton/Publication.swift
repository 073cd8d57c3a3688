import Activity
import ControlClient
import ControlInterface
import EventLoop
import Foundation
import JSON
import Varlink

/// One activity of this process at the daemon: the call that holds it there, and what the daemon tells through it.
///
/// `wanted` is what the app has asked for. A daemon that goes away changes nothing of that: the activity is published again as soon
/// as there is a daemon.
@Loop
final class Publication {
  private let core: ActivityCore
  private var isWanted = false
  /// Holds the activity at the daemon.
  private var call: ControlCall<BecomeCurrent>?
  /// Made current again; it takes the place of `call` with its first reply.
  private var renewal: ControlCall<BecomeCurrent>?
  private var update: ControlCall<UpdateActivity>?
  private var resignation: ControlCall<ResignCurrent>?
  /// What the daemon has, or was sent.
  private var sent: ControlActivity?
  private var isChanged = false
  /// The app is being asked for its state.
  private var isSaving = false
  private var backoff = Backoff(Limits.reconnectBackoff)
  private var timer: EventLoop.Timer?
  private var streams: [Int: IncomingStream] = [:]
  private var lastStream = 0

  init(_ core: ActivityCore) {
    self.core = core
    timer = EventLoop.Timer { [weak self] in self?.connect() }
  }

  func becomeCurrent() {
    isWanted = true
    connect()
  }

  func resign() {
    guard isWanted else { return }
    isWanted = false
    timer?.set(nil)
    renewal = nil
    guard call != nil else { return }
    resignation = try? ControlCall(ResignCurrent.self, ResignCurrent.Parameters(id: core.id)) { [weak self] result in
      self?.resignation = nil
      // It must not stay offered: without the call that holds it, it does not.
      if case .failure = result { self?.call = nil }
    }
    if resignation == nil { call = nil }
  }

  func close() {
    isWanted = false
    timer?.set(nil)
    (call, renewal, update, resignation) = (nil, nil, nil, nil)
    streams = [:]
  }

  /// The app has changed something.
  func changed() {
    isChanged = true
    // Its state is complete when it has been asked.
    if !isSaving { sendChange() }
  }

  // MARK: To the daemon

  private func connect() {
    guard isWanted else { return }
    core.takeChange()
    isChanged = false
    guard core.contents.isEligibleForHandoff else {
      renewal = nil
      call = nil
      return
    }
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
    // With a renewal or an update under way it waits for that.
    guard isChanged, update == nil, renewal == nil else { return }
    core.takeChange()
    isChanged = false
    let isEligible = core.contents.isEligibleForHandoff
    guard isEligible, call != nil else {
      // It may be offered now, or not any more.
      if isEligible || call != nil { connect() }
      return
    }
    do throws(HandoffFailure) {
      try send(try core.published())
    } catch {
      refused(error)
    }
  }

  private func send(_ activity: ControlActivity) throws(HandoffFailure) {
    guard activity != sent else { return }
    sent = activity
    update = try? ControlCall(UpdateActivity.self, UpdateActivity.Parameters(activity: activity)) {
      [weak self] result in
      guard let self else { return }
      self.update = nil
      if case .failure(.failed(let failure)) = result, failure.reason != .activityNotFound {
        self.refused(HandoffFailure(failure.reason, failure.message))
      }
      self.sendChange()
    }
  }

  /// The daemon does not take the activity as it is; until the app changes it, it is not offered.
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

  /// There is no daemon, or it went away.
  private func failed(_ error: ControlError) {
    (call, renewal) = (nil, nil)
    sent = nil
    guard isWanted else { return }
    var generator = SystemRandomNumberGenerator()
    timer?.set(Loop.now + backoff.next(using: &generator))
  }

  private func handle(_ reply: BecomeCurrent.Reply) {
    switch reply.event {
    case .current:
      if let renewal { (call, self.renewal) = (renewal, nil) }
      backoff.reset()
      sendChange()
    case .resigned:
      // A daemon that stops is started again. What another activity took the place of stays so.
      if reply.reason != .shuttingDown, renewal == nil { isWanted = false }
    case .willSave: save()
    case .continued:
      isWanted = false
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
      self.isChanged = false
      self.core.takeChange()
      do throws(HandoffFailure) {
        var activity = try self.core.published()
        // The daemon waits for a state that is complete; that the app wants to be asked again is another message.
        let isAskedAgain = activity.needsSave
        activity.needsSave = false
        self.sent = nil
        try self.send(activity)
        self.isChanged = isAskedAgain
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
