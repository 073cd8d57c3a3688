// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Random numbers that are the same in each run: SplitMix64 (https://prng.di.unimi.it/splitmix64.c).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }
}

/// The seeds of a test: all of them, and in the gate (`RING=gate`, see Tests/long-ring) the first quarter.
package func seeds<Seed: BinaryInteger>(_ all: some Collection<Seed>) -> [Seed] {
  guard let ring = getenv("RING"), String(cString: ring) == "gate" else { return Array(all) }
  return Array(all.prefix((all.count + 3) / 4))
}
