import JSON

/// A value of one of the ten kinds that `NSUserActivity.userInfo` may hold.
package indirect enum UserInfoValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// An integer above `Int64.max`.
  case unsigned(UInt64)
  case double(Double)
  case string(String)
  case data([UInt8])
  /// Seconds since 2001-01-01 00:00:00 UTC, as Foundation's `Date` stores: the one number that comes back exactly.
  case date(Double)
  case url(String)
  /// 16 bytes.
  case uuid([UInt8])
  case array([UserInfoValue])
  case set(Set<UserInfoValue>)
  case dictionary([UserInfoValue: UserInfoValue])
}

/// Equal is what has the same encoded form, to the last bit: `0.0` and `-0.0`, and two ways to write `é`, are different
/// values, and a NaN equals itself. So sets and dictionaries come back with as many elements as they had.
extension UserInfoValue: Hashable {
  package static func == (left: UserInfoValue, right: UserInfoValue) -> Bool { left.json.bytes == right.json.bytes }

  package func hash(into hasher: inout Hasher) { hasher.combine(json.bytes) }
}
