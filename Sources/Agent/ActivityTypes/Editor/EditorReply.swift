// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// A line that `baton editor-host` writes to the editor (WritingEditorPlugins.md).
package enum EditorReply: Equatable, Sendable {
  /// Show this place, because the person continues it here.
  case open(Opening)
  /// Another machine continues the place. Say `current` or `resign` now.
  case locate
  /// Write the text that is not on the disk into this file, which is there and empty.
  /// - Parameter buffer: What the editor calls it.
  case save(request: String, file: String, buffer: String?)
  /// Which of these files is meant?
  case choose(request: String, paths: [String], found: String)
  case offers(request: String, [Offer])
  case message(String)
  /// What was asked for has failed. Nil: it was asked for elsewhere.
  case failed(request: String?, message: String)

  package struct Opening: Structure {
    /// Nil if the text was never saved.
    package var path: String?
    package var line: Int
    package var column: Int?
    package var topLine: Int?
    package var language: String?
    @Coded<JSONObject?> package var view: JSON?
    /// Where the document was found, for people.
    package var found: String?
    /// A private file with the text that was not saved on the other machine. The editor removes it.
    package var text: String?
    /// Whether that text is based on another version than the file here.
    @Coded<FalseByDefault> package var isConflict: Bool
    /// When the file here was written that the text was compared with, in seconds since 1970; and its size in bytes.
    /// The editor may show the place later, and compares again.
    package var fileTime: Int?
    package var fileSize: Int?
    /// Whether the file has just come from another machine, so that its own settings must not be obeyed.
    @Coded<FalseByDefault> package var isFetched: Bool
    package var device: String

    package init(_ position: TextPosition, path: String?, device: String) {
      self.path = path
      line = position.line
      column = position.column
      topLine = position.topLine
      language = position.language
      self.device = device
      view = position.view.isEmpty ? nil : .object(position.view)
      (isConflict, isFetched) = (false, false)
    }
  }

  package struct Offer: Structure {
    package let id: ActivityID
    package let deviceID: DeviceID
    package let title: String
    package let device: String

    package init(id: ActivityID, deviceID: DeviceID, title: String, device: String) {
      (self.id, self.deviceID) = (id, deviceID)
      (self.title, self.device) = (title, device)
    }
  }

  /// The message, without the end of its line.
  package var json: JSON {
    switch self {
    case .open(let opening): .object(opening.members.merging(["type": "open"]) { first, _ in first })
    case .locate: ["type": "locate"]
    case .save(let request, let file, let buffer):
      [
        "type": "save", "request": .string(request), "file": .string(file),
        "buffer": buffer.map(JSON.string) ?? .null,
      ]
    case .choose(let request, let paths, let found):
      [
        "type": "choose", "request": .string(request), "paths": .array(paths.map(JSON.string)),
        "found": .string(found),
      ]
    case .offers(let request, let offers):
      ["type": "offers", "request": .string(request), "offers": .array(offers.map(\.json))]
    case .message(let text): ["type": "message", "text": .string(text)]
    case .failed(let request, let message):
      ["type": "failed", "request": request.map(JSON.string) ?? .null, "message": .string(message)]
    }
  }
}
