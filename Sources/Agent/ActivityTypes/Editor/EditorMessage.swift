// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A line that an editor writes to `baton editor-host` (WritingEditorPlugins.md).
package enum EditorMessage: Equatable, Sendable {
  /// Where the person is. Replaces what was said before.
  case current(EditorPosition)
  /// The editor shows nothing that can be handed over.
  case resign
  /// The answer to `save`. The file is nil if there is no text to save.
  case saved(request: String, file: String?)
  case list(request: String)
  case resume(request: String, id: ActivityID, deviceID: DeviceID?)
  /// The answer to `choose`. Nil: none of them.
  case chosen(request: String, path: String?)

  /// The maximum length of a line in either direction, in bytes.
  package static let lineLength = 64 * 1024
  /// The maximum nesting depth of a line.
  package static let depth = 8

  private struct Head: Structure {
    let type: String
    let request: String?
    let file: String?
    let path: String?
    let id: ActivityID?
    let deviceID: DeviceID?
  }

  /// Nil if the line is not one of these messages.
  package init?(line: some Collection<UInt8>) {
    guard let json = try? JSON(parsing: line, depth: Self.depth), let head = Head(json: json) else { return nil }
    switch (head.type, head.request) {
    case ("current", _):
      guard let position = EditorPosition(json: json) else { return nil }
      self = .current(position)
    case ("resign", _): self = .resign
    case ("saved", let request?): self = .saved(request: request, file: head.file)
    case ("list", let request?): self = .list(request: request)
    case ("continue", let request?):
      guard let id = head.id else { return nil }
      self = .resume(request: request, id: id, deviceID: head.deviceID)
    case ("chosen", let request?): self = .chosen(request: request, path: head.path)
    default: return nil
    }
  }
}

/// A place in an editor, as the editor says it.
package struct EditorPosition: Structure {
  /// The document's absolute path. Nil if it has none.
  package var path: String?
  package var line: Int?
  package var column: Int?
  package var topLine: Int?
  package var language: String?
  @Coded<FalseByDefault> package var isModified: Bool
  /// When the file was written that the editor has read, in seconds since 1970.
  package var fileTime: Int?
  /// The size of that file in bytes. Two versions can be of the same second.
  package var fileSize: Int?
  /// The editor's own name for what it shows, which it gets back when it must save the text.
  package var buffer: String?
  /// The editor's own members of the `userInfo`.
  @Coded<JSONObject?> package var view: JSON?
  /// What to call it if it has no path.
  package var title: String?
  /// Whether the person has just come to this editor.
  @Coded<FalseByDefault> package var isFocus: Bool

  package init(path: String?, line: Int? = nil, column: Int? = nil, isModified: Bool = false) {
    (self.path, self.line, self.column) = (path, line, column)
    (self.isModified, self.isFocus) = (isModified, false)
    view = nil
  }

  /// Whether there is something to hand over.
  package var isUseful: Bool {
    if let path { return path.utf8.first == UInt8(ascii: "/") && path.utf8.count <= Self.pathLength }
    return isModified || view?.object?.isEmpty == false
  }

  /// The maximum length of a path in bytes: the kernel's.
  package static let pathLength = 4095

  /// The activity's title: the file's name.
  package var activityTitle: String {
    let name = path.flatMap(PathComponents.last) ?? title ?? "Unsaved text"
    return VisibleText.line(name, limit: Limits.titleLength) ?? "Text"
  }

  /// Whether others can fetch the file or the text.
  package var hasStream: Bool { path != nil || isModified }

  /// - Parameter document: What describes the file at `path`.
  package func textPosition(document: JSON?) -> TextPosition {
    var position = TextPosition(document: document ?? path.map { ["path": .string($0)] })
    position.line = Self.within(line) ?? 1
    position.column = Self.within(column)
    position.topLine = Self.within(topLine)
    position.language = language.flatMap(TextPosition.language)
    position.isModified = isModified
    position.view = view?.object.flatMap(TextPosition.view) ?? [:]
    return position
  }

  private static func within(_ number: Int?) -> Int? { number.flatMap { TextPosition.number(.integer(Int64($0))) } }

  /// What has to be told after `old`.
  ///
  /// - Parameter isHeld: Whether the activity is current, or will be as soon as there is a daemon.
  package func change(from old: EditorPosition?, isHeld: Bool) -> Change {
    guard isUseful else { return old == nil ? .none : .withdrawn }
    guard let old, isHeld else { return .current }
    return old.path.map { Array($0.utf8) } == path.map { Array($0.utf8) }
      && (old.isModified, old.activityTitle, old.hasStream) == (isModified, activityTitle, hasStream)
      ? .none : .changed
  }

  /// Whether another machine gets the same with it as with `other`.
  package func isSamePlace(as other: EditorPosition) -> Bool {
    func hasSameBytes(_ own: String?, _ other: String?) -> Bool {
      own.map { Array($0.utf8) } == other.map { Array($0.utf8) }
    }
    return hasSameBytes(path, other.path) && hasSameBytes(buffer, other.buffer)
      && (line, column, isModified) == (other.line, other.column, other.isModified)
  }

  package enum Change: Equatable, Sendable {
    /// Others learn it when they ask.
    case none
    /// Others see a difference.
    case changed
    case current
    case withdrawn
  }
}
