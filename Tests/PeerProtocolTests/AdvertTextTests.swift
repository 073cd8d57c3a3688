// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

struct AdvertTextTests {
  private let sign = (0..<16).map { UInt8($0) }
  private let sealed = (0..<364).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  @Test func theStringsAreAsTheProtocolSays() {
    #expect(AdvertText.sealedLength == 364)
    let strings = AdvertText.strings(sealed: sealed, sign: sign)
    #expect(strings.map { $0.count } == [9, 252, 18, 116])
    #expect(strings[0] == Array("txtvers=1".utf8))
    #expect(strings[1] == Array("a=".utf8) + sealed[..<250])
    #expect(strings[2] == Array("r=".utf8) + sign)
    #expect(strings[3] == Array("b=".utf8) + sealed[250...])
    #expect(strings.map { $0.count + 1 }.reduce(0, +) == 399)
    #expect(strings.map { $0.count + 1 }.reduce(0, +) <= Limits.advertLength)
  }

  @Test func whatWasSplitIsJoined() {
    let strings = AdvertText.strings(sealed: sealed, sign: sign)
    #expect(AdvertText.sealed(in: strings) == sealed)
    #expect(AdvertText.sign(in: strings) == sign)
    #expect(AdvertText.sealed(in: strings.reversed()) == sealed)
    #expect(AdvertText.sealed(in: [Array("c=later".utf8), []] + strings) == sealed)
  }

  @Test func anythingElseIsNoAdvert() {
    let all = AdvertText.strings(sealed: sealed, sign: sign)
    let strings = [all[0], all[1], all[3]]
    #expect(AdvertText.sealed(in: strings) == sealed, "As the first version had them")
    #expect(AdvertText.sealed(in: []) == nil)
    for wrong in [[], strings, [all[2]], [all[0], all[2] + [0]], [all[0], all[2].dropLast()]] {
      #expect(AdvertText.sign(in: wrong) == nil)
    }
    for index in strings.indices {
      var missing = strings
      missing.remove(at: index)
      #expect(AdvertText.sealed(in: missing) == nil)
      var long = strings
      long[index].append(0)
      #expect(AdvertText.sealed(in: long) == nil)
      var short = strings
      short[index].removeLast()
      #expect(AdvertText.sealed(in: short) == nil)
    }
    var other = strings
    other[0] = Array("txtvers=2".utf8)
    #expect(AdvertText.sealed(in: other) == nil)
    // The same number of bytes in total, but cut at another place.
    #expect(AdvertText.sealed(in: [strings[0], strings[1].dropLast(), strings[2] + [0]]) == nil)
  }
}
