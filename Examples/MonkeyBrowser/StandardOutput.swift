// SPDX-License-Identifier: Apache-2.0

import Glibc

enum StandardOutput {
  /// Writes the whole text. Ends the process if nobody reads the output any longer.
  static func write(_ text: String) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { exit(1) }
      bytes = bytes.dropFirst(count)
    }
  }
}
