import Activity
import JSONCoding

/// The `userInfo` of an `io.baton.clipboard` activity (ActivityTypes.md, "The clipboard").
package struct CopyInfo: Equatable, Sendable {
  /// The best first: 1 to `Limits.clipboardTypes`.
  package let types: [MediaType]
  /// The length in the first type, in bytes.
  package let size: Int?
  /// When it was copied: seconds since 1970-01-01 00:00:00 UTC.
  package let copied: Double?

  package init(_ types: [MediaType], size: Int?, copied: Double?) {
    (self.types, self.size, self.copied) = (Array(types.prefix(Limits.clipboardTypes)), size, copied)
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
  }

  package var json: JSON {
    var members: [String: JSON] = ["types": .array(types.map { .string($0.description) })]
    members["size"] = size.map(\.json)
    // Checked: differences of floating-point numbers do not trap.
    members["copied"] = copied.map { UserInfoValue.date($0 - Self.reference).json }
    return .object(members)
  }

  /// What people see before anything is fetched. It says nothing about the content.
  package var title: String {
    if types.contains(where: \.isPicture) { return "Picture" }
    return types.contains(where: \.isText) ? "Text" : "Copied data"
  }

  private static func date(_ json: JSON) -> Double? {
    // Checked: sums of floating-point numbers do not trap.
    if case .date(let seconds) = try? UserInfoValue(json: json) { seconds + Self.reference } else { nil }
  }

  /// 2001-01-01 00:00:00 UTC, from which dates in `userInfo` are counted.
  private static let reference = 978_307_200.0
}
