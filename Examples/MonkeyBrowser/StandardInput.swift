// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc

/// Reads standard input on its own thread, whether it is a terminal, a pipe or a file.
enum StandardInput {
  /// - Parameter handler: Called on the main thread with the bytes that were read, and with an empty array at the end.
  static func read(_ handler: @escaping @MainActor ([UInt8]) -> Void) {
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 4096)
      var count = 0
      repeat {
        repeat { count = Glibc.read(STDIN_FILENO, &buffer, buffer.count) } while count < 0 && errno == EINTR
        let bytes = Array(buffer.prefix(max(count, 0)))
        DispatchQueue.main.async { MainActor.assumeIsolated { handler(bytes) } }
      } while count > 0
    }
  }
}
