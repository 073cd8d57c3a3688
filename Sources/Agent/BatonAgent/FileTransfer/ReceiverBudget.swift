// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// How much an origin may send for what it has announced. Each file can be sent a few times, because it was changed. An
/// origin that never ends is one that does not speak the protocol.
struct ReceiverBudget {
  /// The number of bytes of files.
  private var bytes: UInt64
  /// The number of frames that have none.
  private var frames: UInt64

  /// - Parameters:
  ///   - limit: The number of bytes that all files may have in the end.
  ///   - entries: The number of files, folders and links.
  init(limit: UInt64, entries: Int) {
    let attempts = UInt64(Limits.transferAttempts)
    let (product, overflow) = limit.multipliedReportingOverflow(by: attempts)
    bytes = overflow ? .max : product
    // Each attempt has a frame at its beginning, and each file one at its end. While the origin hashes, it says that it
    // is there.
    // Checked: at most 500,000 times 4, and 2^63 divided by 2^26.
    frames = 1000 + UInt64(clamping: entries) * (attempts + 1) + limit / Limits.transferSignInterval
  }

  /// - Parameter count: The number of bytes in a frame.
  mutating func take(_ count: Int) throws(MalformedTransfer) {
    guard count > 0 ? UInt64(count) <= bytes : frames > 0 else { throw MalformedTransfer("the origin does not end") }
    // Checked: there are as many.
    if count > 0 { bytes -= UInt64(count) } else { frames -= 1 }
  }
}
