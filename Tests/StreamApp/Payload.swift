// SPDX-License-Identifier: Apache-2.0

/// Bytes that both sides know, so that each can check what it receives.
enum Payload {
  static let period = 50_000
  static let bytes = (0..<period).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) }

  /// Returns how many of the bytes at `offset` are wrong.
  static func errors(_ received: ArraySlice<UInt8>, at offset: Int) -> Int {
    received.enumerated().count { index, byte in byte != bytes[(offset + index) % period] }
  }
}
