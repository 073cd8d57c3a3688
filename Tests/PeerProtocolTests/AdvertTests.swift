// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import SeededGenerator
import Testing

struct AdvertTests {
  private let device = DeviceID(bytes: Array(0..<32))!
  private let id = ActivityID(bytes: Array(0xA0...0xAF))!

  private func advert(title: String? = "Notes", streams: Bool = true, name: String = "laptop") throws -> Advert {
    var record = try ActivityRecord(id: id, activityType: "org.x")
    record.title = title
    record.supportsContinuationStreams = streams
    return Advert(
      device: device,
      deviceName: name,
      epoch: 0x0102_0304_0506_0708,
      counter: 9,
      current: Advert.Current(record),
      time: 0x0908_0706_0504_0302
    )
  }

  private func filled(_ bytes: [UInt8]) -> [UInt8] {
    bytes + Array(repeating: 0, count: 328 - bytes.count) + [9, 8, 7, 6, 5, 4, 3, 2]
  }

  @Test func thePlaintextIsTheseBytes() throws {
    let expected: [UInt8] =
      [1] + Array(0..<32) + [1, 2, 3, 4, 5, 6, 7, 8] + [0, 0, 0, 0, 0, 0, 0, 9] + [3] + Array(0xA0...0xAF)
      + [5] + Array("org.x".utf8) + [5] + Array("Notes".utf8) + [6] + Array("laptop".utf8)
    #expect(try advert().plaintext == filled(expected))
    #expect(Advert(plaintext: filled(expected)) == (try advert()))
  }

  @Test func withoutAnActivityItIsTheseBytes() {
    let advert = Advert(
      device: device,
      deviceName: "é",
      epoch: 0,
      counter: .max,
      current: nil,
      time: 0x0908_0706_0504_0302
    )
    let expected: [UInt8] =
      [1] + Array(0..<32) + Array(repeating: 0, count: 8) + Array(repeating: 255, count: 8)
      + Array(repeating: 0, count: 1 + 16 + 2) + [2, 0xC3, 0xA9]
    #expect(advert.plaintext == filled(expected))
    #expect(Advert(plaintext: advert.plaintext) == advert)
  }

  @Test(
    arguments: [
      (0, [0], true), (1500, [0], true), (1501, [0], false), (-600, [0], true), (-601, [0], false),
      (86_400, [0, -86_400], true), (86_400, [0], false), (.max, [.max], false), (.min, [0, .max], false),
    ] as [(Int64, [Int64], Bool)]
  )
  func anAdvertIsGoodForSoLong(age: Int64, clockOffsets: [Int64], isFresh: Bool) {
    let now: Int64 = 1_800_000_000
    let time = now.subtractingReportingOverflow(age).partialValue
    let local = Advert.localTime(of: time, now: now, clockOffsets: clockOffsets)
    #expect((local != nil) == isFresh)
    if let local { #expect((now - Advert.advertAge...now).contains(local)) }
  }

  @Test func theFlagsAreBits() throws {
    #expect(try advert(streams: false).plaintext[49] == 1)
    #expect(try advert(streams: true).plaintext[49] == 3)
    var plaintext = try advert().plaintext
    plaintext[49] |= 4
    #expect(Advert(plaintext: plaintext)?.current?.hasWebPage == true)
    #expect(Advert(plaintext: plaintext)?.plaintext == plaintext)
    plaintext = try advert().plaintext
    #expect(Advert(plaintext: plaintext)?.current?.hasWebPage == false)
    plaintext[49] |= 0xF8  // Bits that a later version may use.
    #expect(Advert(plaintext: plaintext) == (try advert()))
    plaintext[49] = 0xFE
    #expect(Advert(plaintext: plaintext)?.current == nil)
  }

  @Test func theLongestOfAllFits() throws {
    var record = try ActivityRecord(id: id, activityType: String(repeating: "t", count: Limits.activityTypeLength))
    record.title = String(repeating: "é", count: Limits.titleLength / 2)
    let name = String(repeating: "n", count: Limits.deviceNameLength)
    let advert = Advert(
      device: device,
      deviceName: name,
      epoch: .max,
      counter: .max,
      current: Advert.Current(record),
      time: .min
    )
    #expect(advert.plaintext.count == Advert.plaintextLength)
    #expect(advert.current?.title == String(repeating: "é", count: Advert.advertTitleLength / 2))
    #expect(Advert(plaintext: advert.plaintext) == advert)
  }

  @Test(
    arguments: [
      (String(repeating: "a", count: 64), 64), (String(repeating: "a", count: 65), 64),
      (String(repeating: "a", count: 63) + "é", 63), (String(repeating: "a", count: 62) + "é", 64),
      (String(repeating: "a", count: 61) + "😀", 61), (String(repeating: "a", count: 60) + "😀", 64),
      (String(repeating: "a", count: 63) + "e\u{301}", 63), (String(repeating: "a", count: 62) + "e\u{301}", 62),
      (String(repeating: "a", count: 50) + "👨‍👩‍👧", 50), ("e" + String(repeating: "\u{301}", count: 40), 0),
    ]
  )
  func titlesAreCutBetweenCharacters(title: String, count: Int) throws {
    let cut = try #require(try advert(title: title).current?.title)
    #expect(cut.utf8.count == count)
    #expect(title.utf8.starts(with: cut.utf8))
    #expect(Advert(plaintext: try advert(title: title).plaintext)?.current?.title == cut)
  }

  @Test func namesAreCutToo() throws {
    #expect(try advert(name: String(repeating: "n", count: 63)).deviceName.utf8.count == 63)
    #expect(try advert(name: String(repeating: "n", count: 64)).deviceName.utf8.count == 63)
    #expect(try advert(name: String(repeating: "n", count: 60) + "😀").deviceName.utf8.count == 60)
  }

  @Test func theLastBytesBeforeTheTimeSayWhenTheActivityAppeared() throws {
    var told = try advert()
    told.current?.since = 0x0102_0304
    var plaintext = try advert().plaintext
    plaintext.replaceSubrange(324..<328, with: [1, 2, 3, 4])
    #expect(told.plaintext == plaintext)
    #expect(Advert(plaintext: plaintext) == told)
  }

  // MARK: Adverts that are refused

  @Test(arguments: [0, 1, 335, 337]) func anotherLengthIsRefused(count: Int) throws {
    let plaintext = try advert().plaintext
    #expect(Advert(plaintext: Array((plaintext + [0]).prefix(count))) == nil)
  }

  @Test(
    arguments: [
      (0, 0), (0, 2), (66, 129), (66, 255), (66, 0), (67, 0x20), (67, 0xFF), (72, 65), (72, 255), (73, 0xFF), (78, 64),
      (78, 255), (79, 0x80),
    ] as [(Int, UInt8)]
  )
  func brokenFieldsAreRefused(index: Int, byte: UInt8) throws {
    var plaintext = try advert().plaintext
    plaintext[index] = byte
    #expect(Advert(plaintext: plaintext) == nil)
  }

  @Test func aTypeOfTwoHundredBytesIsRefusedThoughItFits() throws {
    var plaintext = try advert().plaintext
    plaintext[66] = 200
    for index in 67..<267 { plaintext[index] = UInt8(ascii: "a") }
    #expect(Advert(plaintext: plaintext) == nil)
  }

  @Test func noiseIsReadOrRefused() throws {
    var generator = SeededGenerator(seed: 5)
    let good = try advert().plaintext
    var read = 0
    for _ in 0..<20_000 {
      var plaintext = good
      for _ in 0..<3 {
        plaintext[Int.random(in: 0..<plaintext.count, using: &generator)] = UInt8(truncatingIfNeeded: generator.next())
      }
      guard let advert = Advert(plaintext: plaintext) else { continue }
      read += 1
      #expect(Advert(plaintext: advert.plaintext) == advert)
    }
    #expect(read > 100)
  }
}
