// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Dispatch
import EventLoop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

/// Shares a session of tmux: offers it as the user's current activity, and shows it to the machines that continue it.
/// It ends when the session ends, or when the user stops sharing it.
@Loop
package final class TerminalHost: ActivityHolder {
  package struct Options: Sendable {
    package var session: TmuxSession
    /// The path of its ``TerminalSocket``.
    package var path: String
    /// In seconds.
    package var resumeTime: Int
    package var isReadOnly = false
    /// The ID of the only team that sees it. Nil for all of the user's.
    package var team: String?
    /// The path of the daemon's socket. Nil for the default.
    package var daemon: String?

    package init(session: TmuxSession, path: String, resumeTime: Int) {
      (self.session, self.path, self.resumeTime) = (session, path, resumeTime)
    }
  }

  /// Where tmux is asked, which blocks.
  nonisolated static let queue = DispatchQueue(label: "tmux")
  /// The length that a description may have, in bytes: the daemon's limit, and room for its own form of numbers.
  nonisolated private static let infoLength = Limits.userInfoLength - 128

  private let options: Options
  private let id = ActivityID.random()
  private var info: TerminalInfo
  private var share: TerminalShare
  private var activity: HeldActivity?
  private var server: TerminalSocketServer?
  private var watch: SessionWatch?
  private var attachments: [TerminalShare.Stream: TerminalAttachment] = [:]
  private var lastStream: TerminalShare.Stream = 0
  /// The number of receivers that do not have their last frame yet.
  private var lastFrames = 0
  private var timer: EventLoop.Timer?
  private var failure: String?
  private var isEnding = false
  private var renewal: ProgramRenewal?
  /// Called when no machine is connected and another program has taken this one's place. Its second argument is whether
  /// the session is the current activity.
  package var onReplaced: (@Loop (RunningFile, Bool) -> Void)?
  /// Called once, when everything has ended.
  package var onEnd: (@Loop () -> Void)?

  /// - Parameter info: What ``TmuxSession/describe(resumeTime:daemon:)`` has returned.
  /// - Parameter isCurrent: Whether the session becomes the current activity.
  /// - Throws: `EADDRINUSE` if the session is shared already.
  package init(_ options: Options, _ info: TerminalInfo, isCurrent: Bool = true) throws(SystemError) {
    self.options = options
    self.info = info
    share = TerminalShare(resumeTime: .seconds(options.resumeTime)) { ActivityID.random().description }
    server = try TerminalSocketServer(options.path) { [weak self] in self?.answer($0) ?? .gone }
    timer = EventLoop.Timer { [weak self] in self?.handle(.wake) }
    watch = SessionWatch(options.session) { [weak self] in self?.end(.ended) }
    activity = HeldActivity(id, path: options.daemon, holder: self)
    renewal = ProgramRenewal { [weak self] in
      self?.isIdle ?? false
    } renew: { [weak self] file in
      self?.onReplaced?(file, self?.activity?.isWanted ?? false)
    }
    if isCurrent { activity?.becomeCurrent() }
  }

  private var isIdle: Bool { attachments.isEmpty && lastFrames == 0 && share.deadline == nil && !isEnding }

  /// Ends sharing. Each machine that sees the session is told.
  package func end(_ how: TerminalEnd.How) {
    guard !isEnding else { return }
    isEnding = true
    activity?.resign()
    server?.close()
    watch?.close()
    timer = nil
    for stream in attachments.keys { end(stream, TerminalEnd(how)) }
    finish()
  }

  /// Ends when each receiver has its last frame.
  private func finish() {
    guard isEnding, lastFrames == 0 else { return }
    activity = nil
    let handler = onEnd
    onEnd = nil
    handler?()
  }

  /// Ends because a signal says so. A tmux server that ends sends one, too.
  package func terminate() {
    let session = options.session
    Self.queue.async {
      let exists = session.exists
      Task { @Loop [weak self] in self?.end(exists ? .unshared : .ended) }
    }
  }

  private func answer(_ request: TerminalSocket.Request) -> TerminalSocket.Status {
    switch request {
    case .status: break
    case .share:
      failure = nil
      activity?.becomeCurrent()
    case .unshare:
      // After the reply.
      Task { @Loop [weak self] in self?.end(.unshared) }
    }
    return TerminalSocket.Status(
      state: failure != nil ? .failed : isOffered ? .shared : .starting,
      session: info.session ?? "",
      sessionID: options.session.id,
      machines: share.connectedCount,
      resumeTime: options.resumeTime,
      isReadOnly: options.isReadOnly,
      message: failure
    )
  }

  /// Whether the daemon has ever taken the activity.
  private var isOffered = false

  // MARK: The machines that continue it

  private func handle(_ event: TerminalShare.Event) {
    let effects = share.handle(event, at: Loop.now)
    for effect in effects { perform(effect) }
    timer?.set(share.deadline)
  }

  private func perform(_ effect: TerminalShare.Effect) {
    switch effect {
    case .connect(let stream, let token): connect(stream, token)
    case .drop(let stream): attachments.removeValue(forKey: stream)?.close()
    case .refuse(let stream, let how): end(stream, TerminalEnd(how))
    case .offer: if !isEnding { activity?.becomeCurrent() }
    }
  }

  private func connect(_ stream: TerminalShare.Stream, _ token: String) {
    guard let attachment = attachments[stream] else { return }
    let welcome = TerminalWelcome(
      session: info.session ?? "",
      resumeTime: options.resumeTime,
      token: token,
      isReadOnly: options.isReadOnly
    )
    do { try attachment.connect(welcome) } catch {
      end(stream, TerminalEnd(.failed, message: "\(error)"))
      handle(.detached(stream))
    }
  }

  private func end(_ stream: TerminalShare.Stream, _ end: TerminalEnd) {
    guard let attachment = attachments.removeValue(forKey: stream) else { return }
    lastFrames += 1
    attachment.end(end) { [self] in
      lastFrames -= 1
      finish()
    }
  }

  private func handle(_ event: TerminalAttachment.Event, of stream: TerminalShare.Stream) {
    switch event {
    case .hello(let token): handle(.requested(stream, token: token))
    case .broke:
      attachments[stream] = nil
      handle(.broke(stream))
    case .clientEnded(let status):
      let session = options.session
      Self.queue.async {
        let exists = session.exists
        Task { @Loop [weak self] in self?.clientEnded(stream, status, exists) }
      }
    }
  }

  private func clientEnded(_ stream: TerminalShare.Stream, _ status: Int32, _ exists: Bool) {
    let how: TerminalEnd.How = !exists ? .ended : status == 0 ? .detached : .failed
    end(stream, TerminalEnd(how, message: how == .failed ? localized("tmux exited with status \(status).") : nil))
    if exists { handle(.detached(stream)) } else { end(.ended) }
  }

  // MARK: ActivityHolder

  package var team: String? { options.team }

  package func published() -> ControlActivity? {
    var activity = ControlActivity(id: id, activityType: OpenActivityType.terminal.rawValue)
    activity.title = info.title.map { Printable.text($0, limit: Limits.titleLength / 2) }
    activity.userInfo = info.fitting(Self.infoLength).json
    activity.supportsContinuationStreams = true
    activity.needsSave = true
    return activity
  }

  package func takeChange() {}

  package func becameCurrent() {
    isOffered = true
    failure = nil
    renewal?.check()
  }

  package func daemonLeft() {
    // The next daemon knows nobody who has continued the activity. They continue it again.
    if share.isAwaited, !isEnding { activity?.becomeCurrent() }
  }

  package func save(_ completion: @escaping @Loop (Bool) -> Void) {
    let (session, time, daemon) = (options.session, options.resumeTime, options.daemon)
    Self.queue.async {
      let info = try? session.describe(resumeTime: time, daemon: daemon)
      Task { @Loop [weak self] in
        if let info { self?.info = info }
        completion(true)
      }
    }
  }

  package func wasRefused(_ refusal: ControlFailure) { failure = refusal.message }

  package func wasContinued(on device: String?) { handle(.continued) }

  package func streamWasRequested(_ token: String) {
    guard !isEnding else { return }
    lastStream += 1
    let stream = lastStream
    let attachment = TerminalAttachment(accepting: token, of: options.session, path: options.daemon)
    attachments[stream] = attachment
    attachment.handler = { [weak self] in self?.handle($0, of: stream) }
  }
}

extension TerminalSocket.Status {
  fileprivate static var gone: Self {
    Self(
      state: .failed,
      session: "",
      sessionID: "",
      machines: 0,
      resumeTime: 0,
      isReadOnly: false,
      message: localized("Sharing has ended.")
    )
  }
}
