// SPDX-License-Identifier: Apache-2.0

import Glibc

/// How long this machine has been running, and since which start.
package enum SystemUptime {
  /// Returns whole seconds, including sleep. Nobody can set them.
  package static func seconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec)
  }

  /// The kernel's name for this start of the machine. The system's unit hides the kernel's file, and passes its content
  /// in a variable.
  package static var boot: String {
    if let given = getenv("BATON_BOOT_ID") { return String(cString: given) }
    let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)).filter { $0 != UInt8(ascii: "-") && $0 > 0x20 }, as: UTF8.self)
  }
}
