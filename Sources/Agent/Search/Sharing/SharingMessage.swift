// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// How far a machine has come with the log of another one.
package struct LogPosition: Equatable, Sendable {
  /// The name of the log. Empty if nothing is known of it.
  package var generation: String
  /// The number of the last line that is known.
  package var after: Int
  /// While everything is sent again: the number of the log's last line when that began.
  package var resetLast: Int?

  package init(generation: String = "", after: Int = 0, resetLast: Int? = nil) {
    self.generation = generation
    self.after = after
    self.resetLast = resetLast
  }

  /// Whether the log has nothing new for a machine that has come this far.
  func includes(_ end: LogPosition) -> Bool {
    generation == end.generation && end.after <= after && resetLast == nil
  }
}

/// Lines of a log that follow one another.
package struct LogPage: Equatable, Sendable {
  package var generation: String
  /// The number after which it begins.
  package var after: Int
  package var lines: [SharedLine]
  /// The number of the last line, even if that is not understood here.
  package var through: Int
  /// The number of the last line of the log.
  package var last: Int
  /// Whether the log is sent from its beginning.
  package var isReset: Bool
  /// Whether no line follows.
  package var isComplete: Bool

  package init(generation: String, after: Int, lines: [SharedLine], last: Int, isReset: Bool, isComplete: Bool) {
    self.generation = generation
    self.after = after
    self.lines = lines
    through = lines.last?.number ?? after
    self.last = last
    self.isReset = isReset
    self.isComplete = isComplete
  }

  /// What a machine answers that shares nothing with the team.
  package static let nothing = LogPage(
    generation: "",
    after: 0,
    lines: [],
    last: 0,
    isReset: true,
    isComplete: true
  )

  /// Whether the page answers a request for what follows `position`.
  package func answers(_ position: LogPosition) -> Bool {
    isReset || generation == position.generation && after == position.after
  }
}

/// A message between the agents of two machines.
package enum SharingMessage: Equatable, Sendable {
  /// Send me what you have after this.
  case pull(LogPosition)
  case page(LogPage)
  /// There is news.
  case changed(generation: String, last: Int)

  /// The news that a machine no longer shares anything.
  package static let noLog = SharingMessage.changed(generation: "", last: 0)

  var isPull: Bool { if case .pull = self { true } else { false } }
}

extension SharingMessage: JSONConvertible {
  /// Nil if it is no message. Lines that are not allowed are left out, and lines of kinds that are not known.
  package init?(json: JSON) {
    guard let members = json.object, let generation = members["generation"]?.string, generation.utf8.count <= 128 else {
      return nil
    }
    switch members["kind"]?.string {
    case "pull":
      guard let after = members["after"]?.count else { return nil }
      var position = LogPosition(generation: generation, after: after)
      if let last = members["resetLast"], !last.isNull {
        guard let count = last.count else { return nil }
        position.resetLast = count
      }
      self = .pull(position)
    case "page":
      guard let after = members["after"]?.count, let last = members["last"]?.count,
        let lines = members["entries"]?.array,
        let isReset = members["isReset"]?.bool, let isComplete = members["isComplete"]?.bool
      else { return nil }
      let numbers = lines.map { $0.object?["number"]?.count ?? 0 }
      // Checked last: at most 2^53.
      let isOrdered = zip([after] + numbers, numbers + [last + 1]).allSatisfy(<)
      guard isOrdered, isComplete || !lines.isEmpty, !isReset || after == 0 else { return nil }
      var page = LogPage(
        generation: generation,
        after: after,
        lines: lines.compactMap(SharedLine.init(json:)),
        last: last,
        isReset: isReset,
        isComplete: isComplete
      )
      page.through = numbers.last ?? after
      self = .page(page)
    case "changed":
      guard let last = members["last"]?.count else { return nil }
      self = .changed(generation: generation, last: last)
    default: return nil
    }
  }

  package var json: JSON {
    switch self {
    case .pull(let position):
      var members: [String: JSON] = [
        "kind": "pull", "generation": .string(position.generation), "after": position.after.json,
      ]
      members["resetLast"] = position.resetLast?.json
      return .object(members)
    case .page(let page):
      return [
        "kind": "page", "generation": .string(page.generation), "after": page.after.json,
        "entries": .array(page.lines.map(\.json)), "last": page.last.json, "isReset": .bool(page.isReset),
        "isComplete": .bool(page.isComplete),
      ]
    case .changed(let generation, let last):
      return ["kind": "changed", "generation": .string(generation), "last": last.json]
    }
  }
}
