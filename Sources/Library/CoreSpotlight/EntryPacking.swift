// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// Divides what an app gives into messages that the index accepts.
enum EntryPacking {
  /// - Returns: Messages with all entries that are allowed, and an error that names the others; nil if there are none.
  static func messages(_ entries: [SavedEntry]) -> (messages: [[SavedEntry]], refused: CSIndexError?) {
    var messages: [[SavedEntry]] = []
    var refused: [String] = []
    var length = 0
    for entry in entries.map({ $0.repaired() }) {
      let size: Int
      do throws(EntryLimit) {
        size = try entry.validated().json.bytes.count
      } catch {
        let name = entry.identifier.isEmpty ? "without an identifier" : "\(entry.identifier.prefix(64))"
        refused.append(
          error.limit == 0 || entry.identifier.isEmpty
            ? "the item \(name): \(error.parameter) isn't allowed"
            : "the item \(name): \(error.parameter) exceeds \(error.limit) bytes"
        )
        continue
      }
      let isFull = messages.last.map { $0.count == Limits.entriesPerCall } ?? true
      if isFull || length + size > Limits.entryLength {
        messages.append([])
        length = 0
      }
      messages[messages.count - 1].append(entry)
      length += size + 1
    }
    guard !refused.isEmpty else { return (messages, nil) }
    let named = refused.prefix(namedItems).joined(separator: "; ")
    let others = refused.count > namedItems ? "; and \(refused.count - namedItems) others" : ""
    return (messages, CSIndexError(.invalidItemError, "Couldn't index \(named)\(others)."))
  }

  /// How many items an error names.
  private static let namedItems = 10

  /// Divides identifiers.
  static func lists(_ identifiers: [String]) -> [[String]] {
    var lists: [[String]] = []
    var length = 0
    for identifier in identifiers {
      // In JSON, a character takes at most six bytes.
      let size = identifier.utf8.count * 6 + 3
      let isFull = lists.last.map { $0.count == Limits.entriesPerCall } ?? true
      if isFull || length + size > Limits.entryLength {
        lists.append([])
        length = 0
      }
      lists[lists.count - 1].append(identifier)
      length += size
    }
    return lists
  }
}
