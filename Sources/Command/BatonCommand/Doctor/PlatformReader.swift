// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Systemd

extension Platform {
  /// The maximum length of os-release in bytes.
  private static let releaseLength = 64 * 1024
  /// How long systemd may take to say its version.
  private static let time = Duration.seconds(2)

  /// The system on which this program runs.
  static var current: Platform {
    var names = utsname()
    uname(&names)
    let machine = withUnsafeBytes(of: &names.machine) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    return Platform(
      OSRelease(release),
      architecture: machine,
      glibc: glibc,
      openSSL: openSSL,
      systemd: systemd
    )
  }

  /// From the library itself, which says `glibc 2.36`.
  private static var glibc: Release? {
    var text = [CChar](repeating: 0, count: 64)
    guard confstr(Int32(_CS_GNU_LIBC_VERSION), &text, text.count) > 0 else { return nil }
    let name = String(decoding: text.lazy.map { UInt8(truncatingIfNeeded: $0) }.prefix { $0 != 0 }, as: UTF8.self)
    return name.rest(afterBytesOf: "glibc ").flatMap { Release($0) }
  }

  private static var release: String {
    // In this order (os-release(5)).
    let file = ["/etc/os-release", "/usr/lib/os-release"].lazy.compactMap { RegularFile($0, length: releaseLength) }
      .first
    return file.map { String(decoding: $0.bytes, as: UTF8.self) } ?? ""
  }

  /// The version of the library that programs load (OpenSSL_version_num(3)).
  private static var openSSL: Release? {
    guard let library = dlopen("libcrypto.so.3", RTLD_LAZY | RTLD_LOCAL) else { return nil }
    defer { dlclose(library) }
    guard let function = dlsym(library, "OpenSSL_version_num") else { return nil }
    let number = unsafeBitCast(function, to: (@convention(c) () -> UInt).self)()
    return Release(Int(number >> 28 & 0xF), Int(number >> 20 & 0xFF))
  }

  /// Nil if systemd isn't the system's manager (sd_booted(3)).
  private static var systemd: Release? {
    guard access("/run/systemd/system", F_OK) == 0 else { return nil }
    let name = "org.freedesktop.systemd1"
    let bus: WaitingBus
    do throws(MessageBus.Failure) { bus = try WaitingBus(.system, time: time) } catch { return oldestSystemd }
    let text = bus.property(name, "/org/freedesktop/systemd1", "\(name).Manager", "Version", "s") { $0.string() }
    // Without an answer, nothing speaks against it.
    return text.flatMap { Release($0.dropScalars { $0 == "v" }) } ?? oldestSystemd
  }
}
