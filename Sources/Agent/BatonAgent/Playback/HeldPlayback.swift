// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Glibc
import Hosts
import JSONCoding
import VarlinkClient

/// What one player plays, as this machine's current playback.
@Loop
final class HeldPlayback: ActivityHolder {
  /// How long something must be played until its file is described. A track that is skipped is not read.
  private static let playbackDescriptionDelay = Duration.seconds(10)
  /// How long another machine waits for the description if there is none yet: a part of `Limits.saveTime`.
  private static let playbackDescriptionTime = Duration.milliseconds(1500)

  enum Event {
    /// Another machine continues it.
    case continued(device: String?)
    /// That machine could not open it.
    case offerAgain
    /// Another activity is current instead.
    case displaced
    case refused(ControlFailure)
  }

  /// The name of the player.
  let player: String
  let id = ActivityID.random()
  /// The ID of the only team that sees it.
  var team: String?
  private let documents: EditorDocuments
  private let desktopEntry: @Loop () -> String?
  /// Asks for what is played now, and where. Its completion is called once.
  private let askState: @Loop (@escaping @Loop (PlayerState?) -> Void) -> Void
  private let onEvent: @Loop (HeldPlayback, Event) -> Void
  private var held: HeldActivity?
  private var content: OfferedPlayer.Content
  /// That of the last change, or of the last fetch. Moving on is not a change.
  private var position = 0
  /// The file that another machine was given.
  private var continued: String?
  /// What describes the file at a path.
  private var document: (path: String, json: JSON)?
  private var isDescribing = false
  private var timer: EventLoop.Timer?
  /// Ends the wait for a description that another machine needs.
  private var deadline: EventLoop.Timer?
  private var described: (@Loop () -> Void)?

  init(
    _ player: String,
    _ content: OfferedPlayer.Content,
    socket: String?,
    documents: EditorDocuments,
    desktopEntry: @escaping @Loop () -> String?,
    askState: @escaping @Loop (@escaping @Loop (PlayerState?) -> Void) -> Void,
    onEvent: @escaping @Loop (HeldPlayback, Event) -> Void
  ) {
    (self.player, self.content, self.documents, self.onEvent) = (player, content, documents, onEvent)
    (self.desktopEntry, self.askState) = (desktopEntry, askState)
    timer = EventLoop.Timer { [weak self] in self?.describe() }
    deadline = EventLoop.Timer { [weak self] in self?.finishDescription() }
    held = HeldActivity(id, path: socket, holder: self)
  }

  func becomeCurrent() { held?.becomeCurrent() }

  func withdraw() {
    timer?.set(nil)
    held?.resign()
  }

  /// - Parameter position: In milliseconds.
  func show(_ content: OfferedPlayer.Content, position: Int) {
    let isChanged = content != self.content
    (self.content, self.position) = (content, position)
    // What is played for some time is described before anybody asks, because a film takes seconds to read.
    timer?.set(path.map { _ in Loop.now + Self.playbackDescriptionDelay })
    if isChanged { held?.changed() }
  }

  private var path: String? {
    if case .file(let path) = content.track.place { path } else { nil }
  }

  // MARK: The file

  private func describe() {
    guard let path, document?.path.hasBytes(of: path) != true, !isDescribing else { return finishDescription() }
    isDescribing = true
    documents.describe(path) { [weak self] json in
      guard let self else { return }
      self.isDescribing = false
      if let json { self.document = (path, json) }
      self.finishDescription()
      // The player has gone on meanwhile.
      if self.path?.hasBytes(of: path) != true { self.timer?.set(Loop.now + Self.playbackDescriptionDelay) }
    }
  }

  private func finishDescription() {
    deadline?.set(nil)
    let described = described
    self.described = nil
    described?()
  }

  // MARK: ActivityHolder

  func published() -> ControlActivity? {
    var playback = PlaybackActivity(positionMilliseconds: position)
    switch content.track.place {
    case .address(let url): playback.url = url
    case .file(let path):
      playback.document =
        document?.path.hasBytes(of: path) == true
        ? document?.json : DocumentReference(path: path).fitted(in: 2048)?.json
      guard playback.document != nil else { return nil }
    }
    playback.lengthMilliseconds = content.track.length
    playback.speedPercent = content.speedPercent
    (playback.artist, playback.album) = (content.track.artist, content.track.album)
    playback.player = desktopEntry().flatMap(PlaybackActivity.player)
    var activity = ControlActivity(id: id, activityType: OpenActivityType.playback.rawValue)
    let title = content.track.name
    activity.title = title.isEmpty ? nil : title
    activity.userInfo = playback.userInfo
    activity.needsSave = true
    activity.supportsContinuationStreams = true
    return activity
  }

  func takeChange() {}

  func save(_ completion: @escaping @Loop (Bool) -> Void) {
    askState { [weak self] state in
      guard let self else { return completion(false) }
      let since = Loop.now
      // The track may be newer than what was published. The position is that of this track.
      if let state, state.isOfferable, let track = state.track {
        self.content = OfferedPlayer.Content(track: track, speedPercent: state.speedPercent)
      }
      self.described = { [weak self] in
        guard let self else { return completion(false) }
        if let state { self.position = state.position(after: Loop.now - since) }
        self.continued = self.path
        completion(true)
      }
      self.deadline?.set(Loop.now + Self.playbackDescriptionTime)
      self.describe()
    }
  }

  func wasResigned(_ reason: Reason?) {
    if reason != .shuttingDown { onEvent(self, .displaced) }
  }

  func wasContinued(on device: String?) { onEvent(self, .continued(device: device)) }

  func wasRefused(_ failure: ControlFailure) { onEvent(self, .refused(failure)) }

  func streamWasRequested(_ stream: String) {
    // Whatever is played now, the other machine gets what it has continued.
    let path = continued
    documents.serve(stream) { [weak self] request, completion in
      switch request {
      case .document: completion(Self.opened(path))
      case .offerAgain:
        completion(.success(.bytes([])))
        if let self { self.onEvent(self, .offerAgain) }
      case .unsavedText, .pageState: completion(.failure(.unknownRequest))
      }
    }
  }

  private static func opened(_ path: String?) -> Result<DocumentContent, DocumentRefusal> {
    guard let path, PlayableType.ofFile(path) != nil else { return .failure(.notAvailable) }
    // A pipe that nobody writes to must not block. Whoever serves it checks that it is a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    return descriptor >= 0 ? .success(.file(descriptor)) : .failure(.notAvailable)
  }
}
