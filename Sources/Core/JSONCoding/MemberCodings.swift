// SPDX-License-Identifier: Apache-2.0

/// A member that may be absent.
extension Optional: MemberCoding where Wrapped: MemberCoding {
  package typealias Value = Wrapped.Value?

  package static func decode(_ json: JSON?) -> Value? {
    guard let json else { return .some(.none) }
    return Wrapped.decode(json).map { $0 }
  }

  package static func encode(_ value: Value) -> JSON? { value.flatMap(Wrapped.encode) }
}

/// A boolean that is absent if it is false.
package enum FalseByDefault: MemberCoding {
  package static func decode(_ json: JSON?) -> Bool? { json.map(\.bool) ?? false }
  package static func encode(_ value: Bool) -> JSON? { value ? .some(true) : .none }
}

/// A boolean that is absent if it is true.
package enum TrueByDefault: MemberCoding {
  package static func decode(_ json: JSON?) -> Bool? { json.map(\.bool) ?? true }
  package static func encode(_ value: Bool) -> JSON? { value ? .none : .some(false) }
}

/// An integer from 0 to `Int.max`.
package enum Count: MemberCoding {
  package static func decode(_ json: JSON?) -> Int? { json?.uint64.flatMap(Int.init(exactly:)) }
  package static func encode(_ value: Int) -> JSON? { value.json }
}

/// An array that is absent if it is empty.
package enum EmptyByDefault<Element: Structure>: MemberCoding {
  package static func decode(_ json: JSON?) -> [Element]? {
    guard let json else { return [] }
    guard let elements = json.array else { return nil }
    let structures = elements.compactMap { Element(json: $0) }
    return structures.count == elements.count ? structures : nil
  }

  package static func encode(_ value: [Element]) -> JSON? { value.isEmpty ? .none : .some(.array(value.map(\.json))) }
}

/// An object with any members.
package enum JSONObject: MemberCoding {
  package static func decode(_ json: JSON?) -> JSON? { json?.object.map(JSON.object) }
  package static func encode(_ value: JSON) -> JSON? { value }
}
