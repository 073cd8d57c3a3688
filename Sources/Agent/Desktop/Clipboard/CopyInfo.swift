// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The `userInfo` of an `io.baton.clipboard` activity (ActivityTypes.md, "The clipboard").
package struct CopyInfo: Equatable, Sendable {
  /// The maximum number of copies of other machines that a copy says it came after.
  package static let earlierCopies = 16

  /// The best first: 1 to `Limits.clipboardTypes`.
  package let types: [MediaType]
  /// The length in the first type, in bytes.
  package let size: Int?
  /// When it was copied: seconds since 1970-01-01 00:00:00 UTC.
  package let copied: Double?
  /// The newest copies of other machines that this one knew of then: at most `earlierCopies`. Nil if it does not
  /// say.
  package private(set) var earlier: [ActivityID]?

  package init(_ types: [MediaType], size: Int?, copied: Double?) {
    (self.types, self.size, self.copied) = (Array(types.prefix(Limits.clipboardTypes)), size, copied)
  }

  /// - Parameter copies: What other machines offer, the newest first.
  package func after(_ copies: [ActivityID]) -> CopyInfo {
    var info = self
    info.earlier = Array(copies.prefix(Self.earlierCopies))
    return info
  }

  package typealias Identified = (id: ActivityID, info: CopyInfo)

  /// Whether a copy is newer than one of another machine. If both were made before the machines met, one of them counts
  /// as the newer one on both.
  package static func isNewer(_ copy: Identified, than other: Identified) -> Bool {
    guard let earlier = copy.info.earlier else { return true }
    if earlier.contains(other.id) { return true }
    if other.info.earlier?.contains(copy.id) == true { return false }
    return copy.id.description > other.id.description
  }

  /// Types of which this version knows nothing are left out.
  ///
  /// - Returns: Nil if nothing can be pasted.
  package init?(json: JSON?) {
    guard let members = json?.object, let names = members["types"]?.array else { return nil }
    let types = names.prefix(Limits.clipboardTypes).compactMap { $0.string.flatMap(MediaType.init) }
    guard !types.isEmpty, !SecretHint.isSecret(names.compactMap(\.string)) else { return nil }
    self.types = types
    size = members["size"].flatMap(Count.decode)
    copied = members["copied"].flatMap(Self.date)
    earlier = members["earlier"]?.array.map { ids in
      ids.prefix(Self.earlierCopies).compactMap { $0.string.flatMap { ActivityID(text: $0) } }
    }
  }

  package var json: JSON {
    var members: [String: JSON] = ["types": .array(types.map { .string($0.description) })]
    members["size"] = size.map(\.json)
    // Checked: differences of floating-point numbers do not trap.
    members["copied"] = copied.map { UserInfoValue.date($0 - Self.reference).json }
    members["earlier"] = earlier.map { .array($0.map { .string($0.description) }) }
    return .object(members)
  }

  /// What people see before anything is fetched. It says nothing about the content, but what its best type is.
  package var title: String {
    guard let best = types.first else { return "Copied data" }
    if best.isPicture { return "Picture" }
    return best.isText ? "Text" : "Copied data"
  }

  private static func date(_ json: JSON) -> Double? {
    // Checked: sums of floating-point numbers do not trap.
    if case .date(let seconds) = try? UserInfoValue(json: json) { seconds + Self.reference } else { nil }
  }

  /// 2001-01-01 00:00:00 UTC, from which dates in `userInfo` are counted.
  private static let reference = 978_307_200.0
}
