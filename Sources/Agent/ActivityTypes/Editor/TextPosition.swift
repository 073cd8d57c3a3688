// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The `userInfo` of `io.baton.text-position` (ActivityTypes.md): a place in a document, and how an editor shows it.
package struct TextPosition: Equatable, Sendable {
  /// Which document, for `DocumentFinder`. Nil for text that was never saved.
  package var document: JSON?
  /// From 1.
  package var line = 1
  /// From 1, in Unicode scalars.
  package var column: Int?
  /// The first line that the window shows.
  package var topLine: Int?
  /// The editor's name for the language, such as `swift`.
  package var language: String?
  /// Whether there is text that is not on the disk. It is in the stream.
  package var isModified = false
  /// What only one editor understands, by its key: a reverse domain name.
  package var view: [String: JSON] = [:]

  /// The highest line and column that count. No editor has more.
  package static let highest = Int(Int32.max)
  /// The maximum size of `view` as JSON, in bytes. Most of a `userInfo` belongs to the document.
  package static let viewLength = 1536
  /// In bytes.
  private static let languageLength = 64
  private static let viewKeyLength = 64

  package init(document: JSON? = nil, line: Int = 1) { (self.document, self.line) = (document, line) }

  /// - Parameter userInfo: What another machine sent. What is not allowed is left out, because the rest is useful.
  package init(userInfo: JSON) {
    let members = userInfo.object ?? [:]
    document = members["document"]?.object.map(JSON.object)
    line = members["line"].flatMap(Self.number) ?? 1
    column = members["column"].flatMap(Self.number)
    topLine = members["topLine"].flatMap(Self.number)
    language = members["language"]?.string.flatMap(Self.language)
    isModified = members["isModified"]?.bool ?? false
    view = Self.view(members) ?? [:]
  }

  /// The `userInfo`. If it is too large, it is without the view.
  package var userInfo: JSON {
    var members: [String: JSON] = ["line": .integer(Int64(line))]
    members["document"] = document
    members["column"] = column.map { .integer(Int64($0)) }
    members["topLine"] = topLine.map { .integer(Int64($0)) }
    members["language"] = language.map(JSON.string)
    if isModified { members["isModified"] = true }
    let whole = JSON.object(members.merging(view) { first, _ in first })
    return (try? UserInfo(json: whole)) != nil ? whole : .object(members)
  }

  /// A line or a column. Nil if it cannot be one.
  package static func number(_ json: JSON) -> Int? {
    json.int64.flatMap(Int.init(exactly:)).flatMap { (1...highest).contains($0) ? $0 : nil }
  }

  /// The name of a language. Editors make names of files and functions from it, so it has no other characters.
  package static func language(_ text: String) -> String? {
    guard (1...languageLength).contains(text.utf8.count),
      text.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+".utf8.contains)
    else { return nil }
    return text
  }

  /// The members that have an editor's own key: text, or an object with numbers and booleans. Nil if they are too long.
  package static func view(_ members: [String: JSON]) -> [String: JSON]? {
    let view = members.filter { isViewKey($0.key) && isView($0.value) }
    return JSON.object(view).isShorter(than: viewLength) ? view : nil
  }

  private static func isViewKey(_ key: String) -> Bool {
    key.utf8.count <= viewKeyLength && key.utf8.contains(UInt8(ascii: "."))
      && key.utf8.allSatisfy("abcdefghijklmnopqrstuvwxyz0123456789-.".utf8.contains)
  }

  private static func isView(_ json: JSON) -> Bool {
    switch json {
    case .string: true
    case .object(let members):
      members.allSatisfy { key, value in
        guard key.utf8.first != UInt8(ascii: "$") else { return false }
        switch value {
        case .bool: return true
        // Neovim ends with numbers that no window has.
        case .integer(let number): return (0...Int64(Int32.max)).contains(number)
        default: return false
        }
      }
    default: false
    }
  }
}
