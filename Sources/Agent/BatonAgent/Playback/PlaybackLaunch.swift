// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Hosts
import JSONCoding
import Localization
import Systemd
import VarlinkClient

/// Continues one playback here: gets the activity, finds or fetches its file, and opens it in a player. If that fails,
/// the origin offers it again.
@Loop
final class PlaybackLaunch {
  /// How long `baton open` and a notification wait for a player. What takes longer, such as fetching a film, goes on
  /// without them. It is less than `Limits.launchTime`.
  private static let playbackPatience = Duration.seconds(8)
  /// How long a person waits until the origin, too, knows that nothing plays.
  private static let playbackReturnTime = Duration.seconds(2)

  private let launch: Launch
  private let launching: LaunchService
  private let documents: EditorDocuments
  private let notice: PlaybackNotice?
  private let log: Log
  private let onEnd: @Loop () -> Void
  private var call: ControlCall<Continue>?
  private var opening: PlayerOpening?
  private var returning: DocumentClient?
  /// Ends the wait of the person's program. What takes longer goes on.
  private var patience: EventLoop.Timer?
  private var isReported = false
  /// Why it failed, while the origin is told.
  private var failure: Reason?
  private var title: String?
  private var device = ""
  /// Whether the origin can be told that it failed.
  private var canReturn = false

  /// - Parameter notice: Tells people of a failure when their program no longer waits. Nil: they do not want that.
  init(
    _ launch: Launch,
    _ launching: LaunchService,
    _ documents: EditorDocuments,
    _ notice: PlaybackNotice?,
    log: Log,
    onEnd: @escaping @Loop () -> Void
  ) {
    (self.launch, self.launching, self.documents, self.notice) = (launch, launching, documents, notice)
    (self.log, self.onEnd) = (log, onEnd)
    patience = EventLoop.Timer { [weak self] in
      guard let self else { return }
      self.failure.map { self.report(.failed, $0) } ?? self.report(.continued)
    }
  }

  func begin() {
    // Before anything is continued: without a player, the offer stays.
    let types = PlayableType.usual + [PlayableType.ofFile("a.ogg") ?? ""]
    guard types.contains(where: { !launching.players(for: $0).isEmpty }) else {
      log.warning("Playback can't be continued here, because no player is installed")
      return finish(.failed, .applicationNotFound)
    }
    let parameters = Continue.Parameters(id: launch.request.id, deviceID: launch.request.deviceID)
    do throws(ControlError) {
      call = try ControlCall(Continue.self, parameters, path: launching.socket) { [weak self] result in
        guard let self else { return }
        self.call = nil
        switch result {
        case .success(let reply): self.continued(reply)
        case .failure(.failed(let failure)): self.finish(.failed, failure.reason)
        case .failure: self.finish(.failed, .internalFailure)
        }
      }
    } catch {
      finish(.failed, .internalFailure)
    }
  }

  func stop() {
    (call, opening, returning) = (nil, nil, nil)
    patience?.set(nil)
  }

  private func report(_ state: ReportLaunch.State, _ reason: Reason? = nil) {
    guard !isReported else { return }
    isReported = true
    patience?.set(nil)
    launching.report(launch, state, reason)
  }

  private func finish(_ state: ReportLaunch.State, _ reason: Reason? = nil) {
    report(state, reason)
    stop()
    onEnd()
  }

  /// Nothing plays. The origin offers it again, if it answers, before anybody is told here.
  private func fail(_ why: String, _ reason: Reason = .launchFailed) {
    log.warning("Can't continue playback from another machine: \(why)")
    if isReported { notice?.show(title: title, device: device, why) }
    guard canReturn else { return finish(.failed, reason) }
    failure = reason
    patience?.set(Loop.now + Self.playbackReturnTime)
    returning = try? DocumentClient(opening: launch.request.id, path: launching.socket) {
      descriptor throws(DocumentStreamError) in
      try DocumentStream.fetchBytes(.offerAgain, over: descriptor, limit: 0).bytes.count
    } completion: { [weak self] result in
      if case .failure(let error) = result { self?.log.notice("The other machine isn't offering it again: \(error)") }
      self?.report(.failed, reason)
    } onEnd: { [weak self] in
      self?.finish(.failed, reason)
    }
    if returning == nil { finish(.failed, reason) }
  }

  // MARK: The file

  private func continued(_ reply: Continue.Reply) {
    patience?.set(Loop.now + Self.playbackPatience)
    let activity = reply.activity
    (title, device) = (activity.title, reply.device)
    canReturn = activity.supportsContinuationStreams
    guard activity.activityType == OpenActivityType.playback.rawValue,
      let playback = activity.userInfo.flatMap(PlaybackActivity.init(userInfo:))
    else { return fail(localized("the other machine didn't specify the track or the position"), .protocolViolation) }
    guard let document = playback.document else { return open(playback, path: nil) }
    guard let reference = DocumentReference(json: document), PlayableType.ofFile(reference.name) != nil else {
      return fail(localized("it isn't an audio or video file"))
    }
    // What this machine offers is at the same path.
    guard reply.origin != .local else { return open(playback, path: reference.path) }
    documents.find(document, canFetch: canReturn) { [weak self] finding in
      guard let self else { return }
      switch finding {
      case .found(let path, let how): self.found(path, how, playback)
      case .ambiguous(let paths, let how): self.found(paths.first ?? "", how, playback)
      case .fetchable: self.fetch(document, playback)
      case .notFound(let how):
        if playback.url != nil { return self.open(playback, path: nil) }
        self.fail("\(reference.name): \(how)")
      }
    }
  }

  private func found(_ path: String, _ how: String, _ playback: PlaybackActivity) {
    log.info("Found the media file: \(how)", ["file": path])
    open(playback, path: path)
  }

  private func fetch(_ document: JSON, _ playback: PlaybackActivity) {
    documents.fetch(document, of: launch.request.id) { [weak self] result in
      guard let self else { return }
      switch result {
      case .success(let fetched):
        self.log.info("Fetched the media file", ["file": fetched.path])
        self.open(playback, path: fetched.path)
      case .failure(let error): self.fail("\(error)")
      }
    }
  }

  // MARK: The player

  private func open(_ playback: PlaybackActivity, path: String?) {
    let types: [String]
    let url: String
    if let path {
      guard let type = PlayableType.ofFile(path) else { return fail(localized("it isn't an audio or video file")) }
      (types, url) = ([type], PlayedTrack.url(path: path))
    } else if let address = playback.url {
      (types, url) = (PlayableType.ofAddress(address), address)
    } else {
      return fail(localized("it isn't on this machine"))
    }
    let players = launching.players(for: types, preferring: playback.player)
    guard !players.isEmpty else { return fail(localized("no player for it is installed"), .applicationNotFound) }
    let request = PlayerOpening.Request(
      url: url,
      path: path,
      position: playback.positionMilliseconds,
      speedPercent: playback.speedPercent
    )
    opening = PlayerOpening(request, players, launching, launch, log: log) { [weak self] trouble in
      guard let self else { return }
      if let trouble { self.fail(trouble) } else { self.finish(.continued) }
    }
    opening?.begin()
  }
}
