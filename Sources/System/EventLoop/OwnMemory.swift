// SPDX-License-Identifier: Apache-2.0

import CLinux

/// The memory of this process, which holds keys.
package enum OwnMemory {
  /// Keeps this memory out of core files, even out of those that go through a pipe, for which there is no limit
  /// (core(5)). Other programs of the same user cannot read it, either (ptrace(2)). Anything else that the kernel shows
  /// in `/proc` stays readable.
  package static func hide() throws(SystemError) {
    guard clinux_hide_memory() == 0 else { throw SystemError("prctl") }
  }

  /// Gives the kernel back what was freed (malloc_trim(3)). Glibc itself keeps what lies below memory that is in use,
  /// until the process ends. Also takes the code out of this process's memory; what still runs comes back from the
  /// kernel's cache. Takes about a millisecond.
  package static func giveBack() {
    clinux_trim_memory()
    clinux_unmap_code()
  }
}
