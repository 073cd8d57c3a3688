// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

struct RecordDataTests {
  @Test func namesAreLabelsWithLengths() {
    #expect(
      RecordData.name(["ab", "_tcp", "local"]) == [2, 97, 98, 4] + Array("_tcp".utf8) + [5] + Array("local".utf8) + [0]
    )
    #expect(RecordData.name([]) == [0])
  }

  @Test func labelsHaveOneToSixtyThreeBytes() {
    let longest = String(repeating: "x", count: 63)
    #expect(RecordData.name([longest])?.count == 65)
    #expect(RecordData.name([longest + "x"]) == nil)
    #expect(RecordData.name([String(repeating: "é", count: 32)]) == nil)
    #expect(RecordData.name(["a", ""]) == nil)
    #expect(RecordData.name([String(repeating: "x", count: 300)]) == nil)
  }

  @Test func servicesHavePriorityWeightPortAndTarget() {
    #expect(RecordData.service(port: 0x5952, target: ["h"]) == [0, 0, 0, 0, 0x59, 0x52, 1, 104, 0])
    #expect(RecordData.service(port: 1, target: [""]) == nil)
  }

  @Test func textIsBinarySafe() {
    let strings: [[UInt8]] = [[0, 255, 61], Array(repeating: 7, count: 255)]
    #expect(RecordData.text(strings)?.count == 4 + 256)
    #expect(RecordData.text(strings).flatMap(RecordData.strings(ofText:)) == strings)
    #expect(RecordData.text([Array(repeating: 7, count: 256)]) == nil)
    #expect(RecordData.text([]) == [0])
  }

  @Test func brokenTextIsRefused() {
    #expect(RecordData.strings(ofText: []) == [])
    #expect(RecordData.strings(ofText: [0]) == [])
    #expect(RecordData.strings(ofText: [1, 65, 0, 1, 66]) == [[65], [66]])
    #expect(RecordData.strings(ofText: [2, 65]) == nil)
    #expect(RecordData.strings(ofText: [255]) == nil)
  }

  @Test func anyBytesAreReadWithoutATrap() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      let data = (0..<Int.random(in: 0...40, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
      guard let strings = RecordData.strings(ofText: data), let again = RecordData.text(strings) else { continue }
      #expect(RecordData.strings(ofText: again) == strings)
    }
  }
}
