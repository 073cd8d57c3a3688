// SPDX-License-Identifier: Apache-2.0

/// 64-bit FNV-1a. It shows whether two texts are the same, if nobody has an interest in deceiving.
enum Digest {
  static func of(_ bytes: some Sequence<UInt8>) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
