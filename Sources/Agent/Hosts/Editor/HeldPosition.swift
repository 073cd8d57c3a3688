// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import VarlinkClient

/// The place in a document where a person is, as this machine's current activity.
///
/// The daemon asks for it when another machine continues it, so moving the cursor costs the daemon nothing.
@Loop
package final class HeldPosition: ActivityHolder {
  /// Gives the text that is not on the disk, as the editor would write it.
  package typealias TextProvider =
    @Loop (
      EditorPosition, @escaping @Loop (Result<[UInt8], DocumentRefusal>) -> Void
    ) -> Void

  private let documents: EditorDocuments
  private let unsavedText: TextProvider
  private var held: HeldActivity?
  private var position: EditorPosition?
  /// The place that another machine was last given. The person may be elsewhere since.
  private var continued: EditorPosition?
  /// What describes the file at a path.
  private var document: (path: String, json: JSON)?
  /// The versions of files that unsaved text is based on: those on the disk when there was no unsaved text.
  private var bases: [[UInt8]: FileVersion] = [:]
  /// The maximum number of these. An editor rarely has more modified files.
  private static let basesLimit = 256
  package var onEvent: (@Loop (Event) -> Void)?
  /// Brings the place up to date, because another machine continues it. Nil: it always is.
  package var onSave: (@Loop (_ completion: @escaping @Loop () -> Void) -> Void)?

  package enum Event: Sendable {
    case current
    case continued(device: String?)
    /// Another activity is current instead.
    case displaced(Reason)
    /// The daemon does not take the activity.
    case refused(ControlFailure)
  }

  package init(
    socket: String?,
    documents: EditorDocuments,
    unsavedText: @escaping TextProvider = { $1(.failure(.notAvailable)) }
  ) {
    (self.documents, self.unsavedText) = (documents, unsavedText)
    id = ActivityID.random()
    held = HeldActivity(id, path: socket, holder: self)
  }

  package let id: ActivityID

  /// The person is there now.
  ///
  /// - Returns: Whether the activity becomes current with it.
  @discardableResult
  package func show(_ new: EditorPosition) -> Bool {
    let old = position
    var new = new
    // The file was deleted or renamed since the editor read it. The buffer is what is left of its text.
    if let path = new.path, new.fileTime != nil, FileVersion(path) == nil { new.isModified = true }
    position = new.isUseful ? new : nil
    // What the buffer was for has gone, and another text is in it.
    if let buffer = new.buffer, buffer == continued?.buffer, new.path != continued?.path { continued = nil }
    if let path = new.path { noteBase(path, new) }
    switch new.change(from: old, isHeld: held?.isWanted ?? false) {
    case .none: break
    case .changed: held?.changed()
    case .withdrawn: held?.resign()
    case .current:
      held?.becomeCurrent()
      return true
    }
    return false
  }

  /// Without the time that the editor knows, its text counts as the file's only while it is not modified.
  private func noteBase(_ path: String, _ position: EditorPosition) {
    guard let version = FileVersion(path) else { return bases[Array(path.utf8)] = nil }
    guard position.fileTime ?? version.seconds == version.seconds,
      position.fileSize ?? version.size == version.size
    else { return }
    guard !position.isModified || bases[Array(path.utf8)] == nil && position.fileTime != nil else { return }
    if bases.count >= Self.basesLimit { bases = [:] }
    bases[Array(path.utf8)] = version
  }

  /// Whether the place is the current activity, or becomes it as soon as there is a daemon.
  var isHeld: Bool { held?.isWanted ?? false }

  package func withdraw() {
    (position, continued) = (nil, nil)
    held?.resign()
  }

  /// Withdraws the activity if it is about this text.
  func withdraw(buffer: String?) {
    if buffer == continued?.buffer { continued = nil }
    if buffer == position?.buffer { withdraw() }
  }

  // MARK: ActivityHolder

  package var isEligible: Bool { position != nil }

  package func published() -> ControlActivity? {
    guard let position else { return nil }
    var activity = ControlActivity(id: id, activityType: OpenActivityType.textPosition.rawValue)
    activity.title = position.activityTitle
    let known = document.flatMap { position.path?.hasBytes(of: $0.path) == true ? $0.json : nil }
    activity.userInfo = position.textPosition(document: known).userInfo
    activity.needsSave = true
    activity.supportsContinuationStreams = position.hasStream
    return activity
  }

  package func takeChange() {}

  package func save(_ completion: @escaping @Loop (Bool) -> Void) {
    guard let onSave else { return describe(completion) }
    onSave { [weak self] in
      guard let self else { return completion(false) }
      self.describe(completion)
    }
  }

  private func describe(_ completion: @escaping @Loop (Bool) -> Void) {
    continued = position
    guard let path = position?.path else { return completion(true) }
    documents.describe(path) { [weak self] json in
      self?.document = json.map { (path, $0) }
      self?.continued = self?.position
      completion(true)
    }
  }

  package func becameCurrent() { onEvent?(.current) }

  package func wasResigned(_ reason: Reason?) {
    // The next daemon is asked again.
    if reason != .shuttingDown { onEvent?(.displaced(reason ?? .superseded)) }
  }

  package func wasContinued(on device: String?) {
    onEvent?(.continued(device: device))
    // The person can have gone on since the other machine fetched the place. That is the next thing to offer.
    guard let position, let continued, !position.isSamePlace(as: continued) else { return }
    held?.becomeCurrent()
  }

  package func wasRefused(_ failure: ControlFailure) { onEvent?(.refused(failure)) }

  package func streamWasRequested(_ stream: String) {
    // Wherever the person is now, the other machine gets what it has continued.
    let position = continued
    documents.serve(stream) { [weak self] request, completion in
      guard let position else { return completion(.failure(.notAvailable)) }
      switch request {
      case .document: completion(Self.opened(position.path))
      case .unsavedText:
        guard let self else { return completion(.failure(.notAvailable)) }
        self.provideText(position, completion)
      case .pageState, .offerAgain: completion(.failure(.unknownRequest))
      }
    }
  }

  private static func opened(_ path: String?) -> Result<DocumentContent, DocumentRefusal> {
    guard let path else { return .failure(.notAvailable) }
    // A pipe that nobody writes to must not block the host. Whoever serves it checks that it is a file.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    return descriptor >= 0 ? .success(.file(descriptor)) : .failure(.notAvailable)
  }

  private func provideText(
    _ position: EditorPosition,
    _ completion: @escaping @Loop (Result<DocumentContent, DocumentRefusal>) -> Void
  ) {
    let version = position.path.flatMap { bases[Array($0.utf8)] }
    unsavedText(position) { [documents] result in
      switch result {
      case .failure(let refusal): completion(.failure(refusal))
      case .success(let bytes):
        // The text is based on what was read, which may no longer be on the disk.
        guard let path = position.path, let version, FileVersion(path) == version else {
          return completion(.success(.bytes(bytes)))
        }
        documents.hash(path) { file in
          let isSame = FileVersion(path) == version
          completion(.success(.bytes(bytes, baseSHA256: isSame ? file?.sha256 : nil)))
        }
      }
    }
  }
}
