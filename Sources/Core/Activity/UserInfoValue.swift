// SPDX-License-Identifier: Apache-2.0

import JSONCoding

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
  /// Seconds since 2001-01-01 00:00:00 UTC, as Foundation's `Date` stores them: the only number that is restored
  /// exactly.
  case date(Double)
  case url(String)
  /// 16 bytes.
  case uuid([UInt8])
  case array([UserInfoValue])
  case set(Set<UserInfoValue>)
  case dictionary([UserInfoValue: UserInfoValue])
}

/// Values are equal if their encoded forms are the same, to the last bit. So `0.0` and `-0.0` are different, and so are
/// two ways to write `é`; a NaN equals itself. Sets and dictionaries therefore keep all of their elements.
extension UserInfoValue: Hashable {
  package static func == (left: UserInfoValue, right: UserInfoValue) -> Bool { left.json.bytes == right.json.bytes }

  package func hash(into hasher: inout Hasher) { hasher.combine(json.bytes) }
}
