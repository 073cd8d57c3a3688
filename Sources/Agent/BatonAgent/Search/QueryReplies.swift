// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

/// What a query has found and not given yet, divided into replies that fit in messages.
struct QueryReplies: Sendable {
  /// The maximum size of the entries of one reply as JSON, in bytes. The rest of the message takes less than the
  /// difference.
  static let length = Limits.varlinkMessageLength - 256

  /// The maximum number of entries in one reply.
  private let limit: Int
  private var replies: [[SavedEntry]] = []
  /// The size of the entries of the last one, with the commas between them.
  private var length = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { replies.count }

  /// An entry always fits in a message. If one does not, as in an index that others made, its thumbnail is left out.
  mutating func add(_ entry: SavedEntry) {
    var entry = entry
    var size = entry.json.bytes.count
    if size > Self.length {
      entry.thumbnailData = nil
      size = entry.json.bytes.count
    }
    guard size <= Self.length else { return }
    if let last = replies.last, last.count < limit, length + 1 + size <= Self.length {
      replies[replies.count - 1].append(entry)
      length += 1 + size
    } else {
      replies.append([entry])
      length = size
    }
  }

  /// Takes the first reply.
  mutating func next() -> [SavedEntry]? { replies.isEmpty ? nil : replies.removeFirst() }
}
