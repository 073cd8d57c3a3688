// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import Testing

@testable import Baton

/// Each kind of value, as a Swift type and as a Foundation class.
struct UserInfoValueKindTests {
  private func value(_ any: Any) throws -> UserInfoValue { try UserInfoValue(any) }

  @Test func trueAndOneAndOnePointZeroStayApart() throws {
    #expect(try value(true) == .bool(true))
    #expect(try value(1) == .integer(1))
    #expect(try value(1.0) == .double(1))
    #expect(try value(NSNumber(value: true)) == .bool(true))
    #expect(try value(NSNumber(value: 1)) == .integer(1))
    #expect(try value(NSNumber(value: 1.0)) == .double(1))
    #expect(try value(NSNumber(value: Int8(1))) == .integer(1))
    #expect(try value(NSNumber(value: false)) == .bool(false))
  }

  @Test func integersOfEachSizeKeepTheirValue() throws {
    let integers: [any BinaryInteger] = [Int8(-1), Int16(-1), Int32(-1), Int64(-1), Int(-1)]
    for integer in integers { #expect(try value(integer) == .integer(-1)) }
    let unsigned: [any BinaryInteger] = [UInt8(200), UInt16(200), UInt32(200), UInt64(200), UInt(200)]
    for integer in unsigned { #expect(try value(integer) == .integer(200)) }
    #expect(try value(UInt64.max) == .unsigned(.max))
    #expect(try value(NSNumber(value: UInt64.max)) == .unsigned(.max))
    #expect(try value(NSNumber(value: UInt32.max)) == .integer(Int64(UInt32.max)))
    #expect(try value(Int.min) == .integer(.min))
    #expect(try value(NSNumber(value: Int.min)) == .integer(.min))
  }

  @Test func fractionsOfEachSizeAreDoubles() throws {
    #expect(try value(Float(0.5)) == .double(0.5))
    #expect(try value(CGFloat(0.5)) == .double(0.5))
    #expect(try value(NSNumber(value: Float(0.5))) == .double(0.5))
    #expect(try value(NSDecimalNumber(string: "0.5")) == .double(0.5))
    #expect(try value(Decimal(0.5)) == .double(0.5))
  }

  @Test func textsAreStrings() throws {
    #expect(try value("naïve") == .string("naïve"))
    #expect(try value("xnaïve".dropFirst()) == .string("naïve"))
    #expect(try value(NSString(string: "naïve")) == .string("naïve"))
    #expect(try value(NSMutableString(string: "naïve")) == .string("naïve"))
  }

  @Test func datesDataURLsAndUUIDsAreTheirOwnKinds() throws {
    let date = Date(timeIntervalSinceReferenceDate: 0.125)
    #expect(try value(date) == .date(0.125))
    #expect(try value(date as NSDate) == .date(0.125))
    #expect(try value(Data([0, 255])) == .data([0, 255]))
    #expect(try value(NSData(data: Data([0, 255]))) == .data([0, 255]))
    #expect(try value(NSMutableData(data: Data([7]))) == .data([7]))
    let url = try #require(URL(string: "https://example.org/a?b#c"))
    #expect(try value(url) == .url("https://example.org/a?b#c"))
    #expect(try value(url as NSURL) == .url("https://example.org/a?b#c"))
    let bytes = [UInt8](0..<16)
    let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    #expect(try value(uuid) == .uuid(bytes))
    #expect(try value(uuid as NSUUID) == .uuid(bytes))
    #expect(try value(NSNull()) == .null)
  }

  @Test func collectionsOfBothWorldsAreTheSame() throws {
    #expect(try value([1, 2]) == .array([.integer(1), .integer(2)]))
    #expect(try value([1, "a", [true]] as [Any]) == .array([.integer(1), .string("a"), .array([.bool(true)])]))
    #expect(try value(NSArray(array: [1, "a"])) == .array([.integer(1), .string("a")]))
    #expect(try value(NSMutableArray(array: ["a"])) == .array([.string("a")]))
    #expect(try value([Int]()) == .array([]))
    #expect(try value(Set(["a", "b"])) == .set([.string("a"), .string("b")]))
    #expect(try value(NSSet(array: ["a", 2])) == .set([.string("a"), .integer(2)]))
    #expect(try value(["a": 1]) == .dictionary([.string("a"): .integer(1)]))
    #expect(try value([7: "x"] as [AnyHashable: Any]) == .dictionary([.integer(7): .string("x")]))
    #expect(try value(NSDictionary(dictionary: ["a": [1]])) == .dictionary([.string("a"): .array([.integer(1)])]))
    #expect(try value([String: Int]()) == .dictionary([:]))
  }

  @Test func whatIsHashableIsWhatItHolds() throws {
    #expect(try value(AnyHashable(true)) == .bool(true))
    #expect(try value(AnyHashable(1)) == .integer(1))
    #expect(try value(AnyHashable("a")) == .string("a"))
    #expect(try value([AnyHashable(1), AnyHashable("a")]) == .array([.integer(1), .string("a")]))
  }

  // Apple's bridge does the same, because apps write `["id": item.id as Any]`.
  @Test func anOptionalIsItsValueOrNull() throws {
    #expect(try value(Optional("a") as Any) == .string("a"))
    #expect(try value(Optional<Int>.none as Any) == .null)
    #expect(try value(["a": Optional(1), "b": nil]) == .dictionary([.string("a"): .integer(1), .string("b"): .null]))
    #expect(try value(Optional(Optional(true)) as Any) == .bool(true))
  }
}
