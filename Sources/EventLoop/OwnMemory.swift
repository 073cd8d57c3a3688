import CLinux

/// The memory of this process, which holds keys.
package enum OwnMemory {
  /// Keeps it from core files, also from those that go through a pipe, for which there is no limit (core(5)), and from other
  /// programs of the same user (ptrace(2)). What the kernel shows in `/proc` besides stays readable.
  package static func hide() throws(SystemError) {
    guard clinux_hide_memory() == 0 else { throw SystemError("prctl") }
  }
}
