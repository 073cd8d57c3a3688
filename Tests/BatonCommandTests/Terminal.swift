// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport

/// A pseudoterminal, of which a command gets one end.
final class Terminal: Sendable {
  private let descriptor: Int32

  init() throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    // TIOCSPTLCK
    var isLocked: Int32 = 0
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &isLocked) == 0 else {
      throw TestFailure("/dev/ptmx: \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// Opens the command's end.
  func otherEnd() throws -> Int32 {
    // TIOCGPTPEER
    let end = ioctl(descriptor, 0x5441, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard end >= 0 else { throw TestFailure("TIOCGPTPEER: \(errno)") }
    return end
  }

  /// Returns the next line that the command writes, or what it has written when it ends.
  func line() async -> String {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        var text: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { text.append(byte) }
        continuation.resume(returning: String(decoding: text, as: UTF8.self).replacing("\r", with: ""))
      }
    }
  }
}
