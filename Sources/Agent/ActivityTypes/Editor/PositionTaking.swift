// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Localization

/// What continuing one text position in an editor takes, one step after the other. The editor host carries it out.
///
/// Legal transitions: `continuing` → `finding` → (`choosing` → | `fetching` →) `reading` → `comparing` → `done`. Steps
/// that are not needed are left out. Any state → `done`, if a step fails.
package struct PositionTaking: Sendable {
  package enum Event: Equatable, Sendable {
    /// - Parameter hasStream: Whether the other machine serves the document and the text.
    case continued(TextPosition, hasStream: Bool, device: String)
    case found(DocumentFinding)
    /// Nil: none of them.
    case chosen(String?)
    /// The file is in `~/Handoff`.
    /// - Parameter isChanged: Whether it is another version than the person has continued.
    case fetched(path: String, isChanged: Bool = false)
    /// The text that was not saved is in this file.
    /// - Parameter base: The SHA-256 of the file that it is based on; nil if the other machine does not know.
    case text(file: String, base: String?)
    /// The SHA-256 of the file here; nil if it cannot be read.
    case hashed(String?, version: FileTimeAndSize? = nil)
    case failed(String)
  }

  package enum Effect: Equatable, Sendable {
    /// - Parameter canFetch: Whether the other machine serves the document.
    case find(JSON, canFetch: Bool)
    case choose([String], how: String)
    case fetch(JSON)
    case fetchText
    case hash(path: String)
    /// The last effect.
    case open(EditorReply.Opening)
    /// The last effect.
    case fail(String)
  }

  private enum State: Equatable {
    case continuing, finding, choosing([String], how: String), fetching, reading, comparing(base: String?), done
  }

  private var state = State.continuing
  private var position = TextPosition()
  private var hasStream = false
  private var opening = EditorReply.Opening(TextPosition(), path: nil, device: "")

  package init() {}

  package var isDone: Bool { state == .done }

  /// Events that do not fit the state are late, and ignored.
  package mutating func handle(_ event: Event) -> [Effect] {
    switch (state, event) {
    case (.done, _): return []
    // The file is here, so it can be shown without its text. That is said.
    case (.reading, .failed(let message)) where opening.path != nil:
      opening.found = [opening.found, localized("couldn't fetch the unsaved text: \(message)")].compactMap { $0 }
        .joined(separator: "; ")
      return open()
    // The file was never saved, or is gone. Its text is there.
    case (.fetching, .failed) where position.isModified: return read()
    // Else nobody would know what is meant.
    case (.fetching, .failed(let message)), (.reading, .failed(let message)):
      return fail(localized("Couldn't fetch the text from \(opening.device). \(message)"))
    case (_, .failed(let message)): return fail(message)
    case (.continuing, .continued(let position, let hasStream, let device)):
      (self.position, self.hasStream) = (position, hasStream)
      opening = EditorReply.Opening(position, path: nil, device: device)
      guard let document = position.document else { return read() }
      state = .finding
      return [.find(document, canFetch: hasStream)]
    case (.finding, .found(.found(let path, let how))): return read(path, how)
    case (.finding, .found(.ambiguous(let paths, let how))):
      state = .choosing(paths, how: how)
      return [.choose(paths, how: how)]
    case (.finding, .found(.fetchable)):
      state = .fetching
      return [.fetch(position.document ?? [:])]
    case (.finding, .found(let finding)):
      return position.isModified ? read() : fail(localized("The file couldn't be opened here: \(finding.how)."))
    case (.choosing(let paths, let how), .chosen(let path?)) where paths.contains(path): return read(path, how)
    case (.choosing, .chosen): return fail(localized("No file was chosen."))
    case (.fetching, .fetched(let path, let isChanged)):
      opening.isFetched = true
      let change = isChanged ? [localized("it has changed there in the meantime")] : []
      let words = [localized("fetched from \(opening.device) to \(path)")] + change
      return read(path, words.joined(separator: "; "))
    case (.reading, .text(let file, let base)):
      opening.text = file
      guard let path = opening.path else { return open() }
      state = .comparing(base: base)
      return [.hash(path: path)]
    case (.comparing(let base), .hashed(let hash, let version)):
      opening.isConflict = base == nil || base != hash
      (opening.fileTime, opening.fileSize) = (version?.time, version?.size)
      return open()
    default: return []
    }
  }

  /// Gets the text that was not saved.
  private mutating func read(_ path: String? = nil, _ how: String? = nil) -> [Effect] {
    (opening.path, opening.found) = (path, how)
    guard position.isModified else {
      return path != nil || !position.view.isEmpty
        ? open() : fail(localized("The other machine didn't specify a file."))
    }
    guard hasStream else { return path == nil ? fail(localized("Couldn't fetch the text. Try again.")) : open() }
    state = .reading
    return [.fetchText]
  }

  private mutating func open() -> [Effect] {
    state = .done
    return [.open(opening)]
  }

  private mutating func fail(_ message: String) -> [Effect] {
    state = .done
    return [.fail(message)]
  }
}
