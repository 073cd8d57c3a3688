// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A failed system call: its name and `errno`.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
  package let call: String
  package let code: Int32

  /// Takes `errno` from the calling thread. It is read first, because making the text may change it.
  package init(_ call: @autoclosure () -> String) {
    code = errno
    self.call = call()
  }

  package init(_ call: String, _ code: Int32) {
    self.call = call
    self.code = code
  }

  package var description: String { "\(call): \(String(cString: strerror(code)))" }
}
