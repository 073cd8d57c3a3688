// SPDX-License-Identifier: Apache-2.0

import Localization

extension Verdict {
  /// Whether Baton works on this system: the doctor's first line. `Documentation/admin/Installation.md` has the same as
  /// a table.
  package static func platform(_ platform: Platform) -> Finding {
    let place = localized("\(platform.system.name) on \(platform.architecture)")
    if let lack = lack(platform) {
      return Finding(
        .system,
        .note,
        "\(place): \(lack).",
        advice: localized("For the systems that Baton supports, see the page \"Install, upgrade and uninstall\".")
      )
    }
    guard platform.systemd != nil else {
      return Finding(
        .system,
        .note,
        localized("\(place): systemd isn't running, so nothing starts Baton."),
        advice: localized("Start `batond` as one of your services, and `baton agent` when you log in.")
      )
    }
    guard !platform.isTested else {
      return Finding(.system, .passed, localized("\(place): Baton is tested on this system."))
    }
    return Finding(
      .system,
      .note,
      localized("\(place): not tested, but it has everything that Baton needs.")
    )
  }

  /// What the system lacks; nil if it lacks nothing.
  private static func lack(_ platform: Platform) -> String? {
    guard let glibc = platform.glibc else { return localized("Baton needs the GNU C library (glibc)") }
    if platform.system.id == "nixos" {
      return localized("NixOS has no package of Baton, and units need other paths there")
    }
    if glibc < Platform.oldestGlibc {
      return localized("Baton needs glibc \(Platform.oldestGlibc), and this system has \(glibc)")
    }
    guard let openSSL = platform.openSSL, openSSL >= Platform.oldestOpenSSL, openSSL < Platform.Release(4) else {
      return localized("Baton needs OpenSSL 3 (libssl.so.3 and libcrypto.so.3)")
    }
    if let systemd = platform.systemd, systemd < Platform.oldestSystemd {
      return localized("Baton needs systemd \(Platform.oldestSystemd.major), and this system has \(systemd.major)")
    }
    return nil
  }
}
