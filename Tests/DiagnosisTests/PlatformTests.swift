// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Testing

@Suite struct PlatformTests {
  private func platform(
    _ id: String = "debian",
    _ version: String = "13",
    architecture: String = "x86_64",
    glibc: Platform.Release? = .init(2, 41),
    openSSL: Platform.Release? = .init(3, 5),
    systemd: Platform.Release? = .init(257)
  ) -> Verdict.Finding {
    Verdict.platform(
      Platform(
        OSRelease("ID=\(id)\nVERSION_ID=\"\(version)\"\nPRETTY_NAME=\"Some \(id)\""),
        architecture: architecture,
        glibc: glibc,
        openSSL: openSSL,
        systemd: systemd
      )
    )
  }

  @Test func testedSystemsPass() {
    for version in ["12", "13"] { #expect(platform("debian", version).outcome == .passed) }
    #expect(platform().detail == "Some debian on x86_64: Baton is tested on this system.")
  }

  @Test func othersAreNoted() {
    for finding in [
      platform("ubuntu", "22.04", glibc: .init(2, 35), openSSL: .init(3), systemd: .init(249)),
      platform("debian", "14"), platform("arch", ""), platform(architecture: "aarch64"),
    ] {
      #expect(finding.outcome == .note)
      #expect(finding.detail.hasSuffix("not tested, but it has everything that Baton needs."))
    }
  }

  @Test func whatIsLackingIsNamed() {
    func lacks(_ finding: Verdict.Finding, _ text: String) -> Bool {
      finding.check == .system && finding.outcome == .note && finding.detail.contains(text) && finding.advice != nil
    }
    #expect(lacks(platform("alpine", "3.20", glibc: nil, systemd: nil), "GNU C library"))
    #expect(lacks(platform("rhel", "9.4", glibc: .init(2, 34)), "needs glibc 2.35, and this system has 2.34"))
    #expect(lacks(platform("nixos", "24.05"), "NixOS"))
    #expect(lacks(platform(openSSL: nil), "OpenSSL 3"))
    #expect(lacks(platform(openSSL: .init(1, 1)), "OpenSSL 3"))
    #expect(lacks(platform(openSSL: .init(4)), "OpenSSL 3"))
    #expect(lacks(platform(systemd: .init(247)), "needs systemd 249, and this system has 247"))
    #expect(lacks(platform("devuan", "5", systemd: nil), "systemd isn't running"))
  }

  @Test func releasesAreRead() {
    #expect(Platform.Release("2.36-9+deb12u9") == .init(2, 36))
    #expect(Platform.Release("252.39-1~deb12u1") == .init(252, 39))
    #expect(Platform.Release("257") == .init(257))
    #expect(Platform.Release("255.") == .init(255))
    for text in ["", "x", ".5", "99999999999999999999", "-1"] { #expect(Platform.Release(text) == nil) }
    #expect(Platform.Release(2, 35) < .init(2, 41))
    #expect(!(Platform.Release(3) < .init(2, 41)))
  }

  @Test func releaseFilesAreReadAsAShellDoes() {
    let release = OSRelease(
      "# ID=no\nNAME='A \\ b'\nPRETTY_NAME=\"A \\\"quoted\\\" \\$name\u{1B}\"\n  ID=fedora  \nVERSION_ID=40\nodd"
    )
    #expect(release.id == "fedora" && release.version == "40")
    #expect(release.name == "A \"quoted\" $name\\u{1b}")
    let empty = OSRelease("")
    #expect(empty.id == "linux" && empty.version == "" && empty.name == "Linux")
    #expect(OSRelease("NAME='A \\ b'").name == "A \\ b")
    #expect(OSRelease("PRETTY_NAME=\"").name == "\"")
    #expect(OSRelease("PRETTY_NAME=" + String(repeating: "x", count: 9999)).name.utf8.count <= 131)
  }
}
