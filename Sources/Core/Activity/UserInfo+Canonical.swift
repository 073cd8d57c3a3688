// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The canonical form of a `userInfo` from elsewhere, made without building the values. Hashing values would cost as
/// much again for each level that contains them. Here, every part is written once for each set or dictionary around it.
extension JSON {
  /// - Throws: `Reason.userInfoInvalid` if the form is wrong.
  func canonicalUserInfo() throws(Reason) -> JSON {
    switch self {
    case .null, .bool, .integer, .unsigned, .string: return self
    case .double: return try UserInfoValue(json: self).json
    case .array(let elements): return .array(try Self.canonical(elements))
    case .object(let members):
      if members.count == 1, let (key, value) = members.first, key.isTag { return try Self.canonical(key, value) }
      var canonical: [String: JSON] = [:]
      for (key, value) in members {
        guard !key.isTag, key.isStreamSafe else { throw .userInfoInvalid }
        canonical[key] = try value.canonicalUserInfo()
      }
      return .object(canonical)
    }
  }

  private static func canonical(_ elements: [JSON]) throws(Reason) -> [JSON] {
    try elements.map { json throws(Reason) in try json.canonicalUserInfo() }
  }

  private static func canonical(_ tag: String, _ value: JSON) throws(Reason) -> JSON {
    switch (tag, value) {
    case ("$set", .array(let elements)): return ["$set": .array(try sorted(canonical(elements)))]
    case ("$dictionary", .array(let elements)): return try dictionary(canonical(elements))
    default: return try UserInfoValue(json: .object([tag: value])).json
    }
  }

  /// Sorts the elements by their bytes.
  ///
  /// - Throws: `Reason.userInfoInvalid` if two are equal.
  private static func sorted(_ elements: [JSON]) throws(Reason) -> [JSON] {
    let sorted = elements.map { ($0, $0.bytes) }.sorted { $0.1.lexicographicallyPrecedes($1.1) }
    for (one, next) in zip(sorted, sorted.dropFirst()) where one.1 == next.1 { throw .userInfoInvalid }
    return sorted.map(\.0)
  }

  /// Returns the dictionary of some pairs, as an object if that is possible.
  private static func dictionary(_ elements: [JSON]) throws(Reason) -> JSON {
    let pairs = try sorted(elements)
    var members: [String: JSON] = [:]
    var keys: Set<[UInt8]> = []
    for pair in pairs {
      guard let pair = pair.array, pair.count == 2, keys.insert(pair[0].bytes).inserted else { throw .userInfoInvalid }
      guard let name = pair[0].string else { continue }
      guard name.isStreamSafe else { throw .userInfoInvalid }
      members[name.escaped] = pair[1]
    }
    return .object(members.count == pairs.count ? members : ["$dictionary": .array(pairs)])
  }
}
