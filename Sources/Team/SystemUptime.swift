import Glibc

/// For how long this machine has run.
package enum SystemUptime {
  /// Whole seconds, sleep included; nobody can set them.
  package static func seconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }
}
