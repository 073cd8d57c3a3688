// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import SeededGenerator
import Testing

struct UserInfoRoundTripTests {
  /// Returns the value after encoding it to bytes and decoding them.
  private func travelled(_ value: UserInfoValue) throws -> UserInfoValue {
    try UserInfoValue(json: try JSON(parsing: value.json.bytes, depth: Limits.userInfoDepth))
  }

  @Test(arguments: 1...8) func everyValueComesBackAsItWas(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let value = UserInfoValue.random(depth: Limits.userInfoDepth, using: &generator)
      let back = try travelled(value)
      guard back.isIdentical(to: value), back.json.bytes == value.json.bytes, back == value else {
        Issue.record("\(value.json.text) became \(back.json.text)")
        continue
      }
    }
  }

  /// The canonical form is made without the values, but is the same as theirs.
  @Test(arguments: 1...8) func theCanonicalFormOfAValueIsItsForm(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let value = UserInfoValue.random(depth: 5, using: &generator)
      let json = JSON.object(["k": value.json])
      guard json.bytes.count <= Limits.userInfoLength else { continue }
      #expect(try UserInfo(json: json).json.bytes == json.bytes)
      let pairs = JSON.object(["$dictionary": [["k", value.json.unsorted]]])
      #expect(try UserInfo(json: pairs).json.bytes == json.bytes)
    }
  }

  @Test func equalValuesAreEqualBytesAndOthersAreNot() {
    var generator = SeededGenerator(seed: 99)
    let values = (0..<120).map { _ in UserInfoValue.random(depth: 3, using: &generator) }
    var equalPairs = 0
    for (index, left) in values.enumerated() {
      for right in values[index...] {
        let isIdentical = left.isIdentical(to: right)
        equalPairs += isIdentical ? 1 : 0
        guard isIdentical == (left == right), isIdentical == (left.json.bytes == right.json.bytes),
          !isIdentical || left.hashValue == right.hashValue
        else {
          Issue.record("\(left.json.text) against \(right.json.text)")
          continue
        }
      }
    }
    #expect(equalPairs > values.count * 5 / 4, "The generator makes too few equal values")
  }

  @Test(arguments: UserInfoValue.oddDoubles) func doublesKeepEachBit(double: Double) throws {
    #expect(try travelled(.double(double)).isIdentical(to: .double(double)))
    #expect(try travelled(.date(double)).isIdentical(to: .date(double)))
  }

  @Test func numbersOfDifferentTypesStayApart() throws {
    let values: [UserInfoValue] = [.integer(1), .double(1), .bool(true), .string("1"), .date(1), .data([1])]
    for (index, value) in values.enumerated() {
      #expect(try travelled(value).isIdentical(to: value))
      for other in values[(index + 1)...] { #expect(value != other) }
    }
    #expect(Set(values).count == values.count)
  }

  @Test func zeroesAndNaNsOfDifferentBitsAreDifferentElements() throws {
    let zeroes: Set<UserInfoValue> = [.double(0), .double(-0.0)]
    #expect(zeroes.count == 2)
    let nans: Set<UserInfoValue> = [.double(.nan), .double(.nan), .double(Double(bitPattern: 0x7FF8_0000_0000_0001))]
    #expect(nans.count == 2)
    #expect(try travelled(.set(nans)).isIdentical(to: .set(nans)))
    let keys = UserInfoValue.dictionary([.double(.nan): .integer(1), .double(-0.0): .integer(2), .double(0): .null])
    #expect(try travelled(keys).isIdentical(to: keys))
  }

  @Test func namesThatLookTheSameAreDifferentKeys() throws {
    let value = UserInfoValue.dictionary([.string("\u{E9}"): .integer(1), .string("e\u{301}"): .integer(2)])
    #expect(try travelled(value).isIdentical(to: value))
    let info = try UserInfo([.string("\u{E9}"): .integer(1), .string("e\u{301}"): .integer(2)])
    #expect(UserInfoValue.dictionary(try info.values()).isIdentical(to: value))
  }

  @Test(arguments: ["", "$", "$$", "$data", "$$data", "$\u{301}", "$$\u{301}", "\u{301}$", "a$"])
  func everyNameIsAKey(name: String) throws {
    let value = UserInfoValue.dictionary([.string(name): .string("x")])
    #expect(try travelled(value).isIdentical(to: value))
    let several = UserInfoValue.dictionary([.string(name): .null, .string("other"): .null])
    #expect(try travelled(several).isIdentical(to: several))
  }

  @Test func aSmallUnsignedIsTheInteger() throws {
    #expect(UserInfoValue.unsigned(5) == .integer(5))
    #expect(try travelled(.unsigned(5)).isIdentical(to: .integer(5)))
  }
}

extension JSON {
  /// The same value, with its sets and dictionaries in reverse order.
  fileprivate var unsorted: JSON {
    switch self {
    case .array(let elements): .array(elements.map(\.unsorted))
    case .object(let members):
      if let elements = members["$set"]?.array {
        ["$set": .array(elements.reversed().map(\.unsorted))]
      } else if let pairs = members["$dictionary"]?.array {
        ["$dictionary": .array(pairs.reversed().map(\.unsorted))]
      } else {
        .object(members.mapValues(\.unsorted))
      }
    default: self
    }
  }
}
