// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

struct KnownContentsTests {
  @Test func whatWasReadIsKnownForSomeMinutes() {
    let start = ContinuousClock.now
    var known = KnownContents()
    known.insert(size: 1, sha256: "a", at: start)
    #expect(known.contains(size: 1, sha256: "a", at: start + KnownContents.knownContentTime))
    #expect(!known.contains(size: 2, sha256: "a", at: start))
    #expect(!known.contains(size: 1, sha256: "a", at: start + KnownContents.knownContentTime + .seconds(1)))
  }

  @Test func theOldestAreForgotten() {
    let now = ContinuousClock.now
    var known = KnownContents()
    for number in 0...KnownContents.knownContents { known.insert(size: 1, sha256: "\(number)", at: now) }
    #expect(!known.contains(size: 1, sha256: "0", at: now))
    #expect(known.contains(size: 1, sha256: "1", at: now))
  }
}
