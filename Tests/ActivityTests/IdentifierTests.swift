// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation
import SeededGenerator
import Testing

struct IdentifierTests {
  @Test(arguments: [0, 31, 33]) func teamsAndDevicesAreThirtyTwoBytes(count: Int) {
    #expect(TeamID(bytes: Array(repeating: 0, count: count)) == nil)
    #expect(DeviceID(bytes: Array(repeating: 0, count: count)) == nil)
  }

  @Test(arguments: [0, 15, 17]) func activitiesAreSixteenBytes(count: Int) {
    #expect(ActivityID(bytes: Array(repeating: 0, count: count)) == nil)
  }

  @Test func aTeamIsShownByTenDigits() throws {
    let bytes = [UInt8]([0x00, 0x44, 0x32, 0x14, 0xC7, 0x42, 0x40]) + Array(repeating: 0xFF, count: 25)
    #expect(try #require(TeamID(bytes: bytes)).description == "0123456789")
  }

  @Test func aDevicesTextComesBack() throws {
    var generator = SeededGenerator(seed: 3)
    let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
    let device = try #require(DeviceID(bytes: bytes))
    #expect(device.text.utf8.count == 52)
    #expect(device.description == device.text.prefix(10))
    #expect(DeviceID(text: device.text) == device)
    #expect(DeviceID(text: device.text.lowercased()) == device)
    #expect(DeviceID(text: String(device.text.dropLast())) == nil)
    #expect(DeviceID(text: device.text + "00") == nil)
    #expect(DeviceID(text: "") == nil)
    #expect(DeviceID(text: String(repeating: "U", count: 52)) == nil)
  }

  @Test func devicesAreOrderedByTheirBytes() throws {
    let low = try #require(DeviceID(bytes: [1] + Array(repeating: 0xFF, count: 31)))
    let high = try #require(DeviceID(bytes: [2] + Array(repeating: 0, count: 31)))
    #expect(low < high)
    #expect(!(high < low))
    #expect(!(low < low))
  }

  @Test func aRandomActivityIsAUUIDOfVersionFour() throws {
    for _ in 0..<100 {
      let id = ActivityID.random()
      let uuid = try #require(UUID(uuidString: id.description))
      #expect(uuid.uuidString.lowercased() == id.description)
      #expect(id.bytes[6] >> 4 == 4)
      #expect(id.bytes[8] >> 6 == 2)
      #expect(ActivityID(text: id.description) == id)
      #expect(ActivityID(text: id.description.uppercased()) == id)
    }
    #expect(
      ActivityID(randomBytes: (0x0011_2233_4455_6677, 0x8899_AABB_CCDD_EEFF)).description
        == "00112233-4455-4677-8899-aabbccddeeff"
    )
  }

  @Test(arguments: [
    "", "-", "----", "00112233445546778899aabbccddeeff", "00112233-4455-4677-8899-aabbccddeef",
    "00112233-4455-4677-8899-aabbccddeeff0", "0011223-34455-4677-8899-aabbccddeeff",
    "00112233-4455-4677-8899-aabbccddeefg",
    "00112233-4455-4677-8899-aabbccddee+f", "00112233-4455-4677-8899-aabbccddee f",
    "é112233-4455-4677-8899-aabbccddeeff",
    "{00112233-4455-4677-8899-aabbccddeeff}", "00112233-4455-4677-8899-aabbccddee\u{FF10}",
    "00112233-4455-4677-8899-aabbccddeef\u{301}",
    "00112233-4455-4677-8899-aabbccddeeff-",
  ])
  func otherTextIsNoActivity(text: String) { #expect(ActivityID(text: text) == nil) }
}
