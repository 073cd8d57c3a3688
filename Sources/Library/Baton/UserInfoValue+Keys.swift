// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

/// Keys of dictionaries and members of sets. Foundation traps if it compares collections that have collections as
/// these, or converts one with two that it considers equal and Swift does not. A cast does both.
extension UserInfoValue {
  /// The value as a key or a member. Numbers have Swift's types, so that `userInfo[7]` finds them. Nil if it is
  /// a collection, or if it does not equal itself.
  var hashable: AnyHashable? {
    switch self {
    case .null: AnyHashable(NSNull())
    case .bool(let value): AnyHashable(value)
    case .integer(let value): AnyHashable(Int(value))
    case .unsigned(let value): AnyHashable(value)
    case .double(let value): value.isNaN ? nil : AnyHashable(value)
    case .string(let value): AnyHashable(value)
    case .data(let bytes): AnyHashable(Data(bytes))
    case .date(let seconds): Date.received(seconds).map(AnyHashable.init)
    // Text that Foundation does not accept as a URL stays a string.
    case .url(let text): URL(string: text).map(AnyHashable.init) ?? AnyHashable(text)
    case .uuid(let bytes): AnyHashable(UUID(bytes: bytes))
    case .array, .set, .dictionary: nil
    }
  }

  /// Those of the values that can be keys or members of one collection, in that form. Foundation considers `true`, 1
  /// and 1.0 equal; the integer stays.
  static func distinct(_ values: some Collection<UserInfoValue>) -> [(UserInfoValue, AnyHashable)] {
    var numbers: Set<Double> = []
    for value in values {
      switch value {
      case .integer(let value): numbers.insert(Double(value))
      case .unsigned(let value): numbers.insert(Double(value))
      default: break
      }
    }
    return values.compactMap { value in
      let number: Double? =
        switch value {
        case .double(let value): value
        case .bool(let value): value ? 1 : 0
        default: nil
        }
      if let number, !numbers.insert(number).inserted { return nil }
      return value.hashable.map { (value, $0) }
    }
  }
}

extension UUID {
  fileprivate init(bytes: [UInt8]) {
    var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &uuid) { $0.copyBytes(from: bytes.prefix(16)) }
    self.init(uuid: uuid)
  }
}
