import Activity
import JSONCoding
import Search

/// Divides what an app gives into messages that the index accepts.
enum EntryPacking {
  /// - Throws: If an entry is not allowed.
  static func messages(_ entries: [SavedEntry]) throws(CSIndexError) -> [[SavedEntry]] {
    var messages: [[SavedEntry]] = []
    var length = 0
    for entry in entries.map({ $0.repaired() }) {
      let size: Int
      do throws(EntryLimit) {
        size = try entry.validated().json.bytes.count
      } catch {
        throw CSIndexError(
          .invalidItemError,
          "The item \(entry.identifier.prefix(64)) cannot be indexed: \(error.parameter) exceeds \(error.limit) bytes."
        )
      }
      let isFull = messages.last.map { $0.count == Limits.entriesPerCall } ?? true
      if isFull || length + size > Limits.entryLength {
        messages.append([])
        length = 0
      }
      messages[messages.count - 1].append(entry)
      length += size + 1
    }
    return messages
  }

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
