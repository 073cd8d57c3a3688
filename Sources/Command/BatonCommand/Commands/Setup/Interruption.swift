// SPDX-License-Identifier: Apache-2.0

import Glibc

/// What a person reads who ends the program with Ctrl+C.
enum Interruption {
  /// The bytes of the text. They're set before the handler is, and never change.
  nonisolated(unsafe) private static var text = UnsafeRawBufferPointer(start: nil, count: 0)

  /// Writes a line before the program ends. Call this once.
  static func explain(_ line: String) {
    let bytes = Array("\n\(line)\n".utf8)
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    copy.copyBytes(from: bytes)
    text = UnsafeRawBufferPointer(copy)
    // Only what signal-safety(7) allows.
    signal(SIGINT) { number in
      _ = write(STDERR_FILENO, Interruption.text.baseAddress, Interruption.text.count)
      // A script or another program that started this one must see that the person has interrupted it.
      signal(number, SIG_DFL)
      raise(number)
    }
  }
}
