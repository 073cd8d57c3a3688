// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The programs that this process could run.
package enum OtherPrograms {
  /// From now on, this process can run none: neither those that it has written itself, to a file or to memory, nor
  /// those of the system.
  package static func forbid() throws(SystemError) {
    guard clinux_forbid_programs() == 0 else { throw SystemError("seccomp") }
  }
}
