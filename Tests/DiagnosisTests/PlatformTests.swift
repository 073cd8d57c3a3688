// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Foundation
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

  /// What the doctor says about the systems of each row, and a word that both have.
  private var rows: [String: (works: String, findings: [Verdict.Finding], word: String)] {
    let old = Platform.Release(2, 34)
    return [
      "Debian 12 and 13 on amd64": ("yes", [platform("debian", "12"), platform("debian", "13")], "tested"),
      "Debian testing and sid; Ubuntu 24.04 or newer": (
        "should", [platform("debian", "14"), platform("debian", ""), platform("ubuntu", "24.04")], "not tested"
      ),
      "Fedora 40 or newer; RHEL 10": ("should", [platform("fedora", "40"), platform("rhel", "10.0")], "not tested"),
      "openSUSE Leap 16, Tumbleweed; Arch": (
        "should", [platform("opensuse-leap", "16.0"), platform("opensuse-tumbleweed", "2026"), platform("arch", "")],
        "not tested"
      ),
      "Ubuntu 22.04, Mint 21": (
        "should",
        ["ubuntu", "linuxmint"].map { platform($0, "21", glibc: .init(2, 35), openSSL: .init(3), systemd: .init(249)) },
        "not tested"
      ),
      "arm64 (Raspberry Pi, Asahi, servers)": ("should", [platform(architecture: "aarch64")], "tested"),
      "RHEL 9 and its rebuilds (Alma, Rocky)": (
        "no", ["rhel", "almalinux", "rocky"].map { platform($0, "9.4", glibc: old, systemd: .init(252)) }, "2.34"
      ),
      "systems with only OpenSSL 4": ("no", [platform(openSSL: nil), platform(openSSL: .init(4))], "OpenSSL 3"),
      "Alpine, postmarketOS, Chimera (musl)": (
        "no", ["alpine", "postmarketos", "chimera"].map { platform($0, "3", glibc: nil, systemd: nil) }, "glibc"
      ),
      "NixOS": ("no", [platform("nixos", "25.05")], "paths"),
      "systems without systemd (Devuan, Artix)": (
        "partly", [platform("devuan", "5", systemd: nil), platform("artix", "", systemd: nil)], "nothing starts"
      ),
    ]
  }

  @Test func itIsWhatTheTableOfSystemsSays() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let page = try String(contentsOf: root.appending(path: "Documentation/admin/Installation.md"), encoding: .utf8)
    let table = page.components(separatedBy: "| System | Works |")[1].components(separatedBy: "\n\n")[0]
    var said: Set<String> = []
    for line in table.split(separator: "\n").dropFirst(2) {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let row = try #require(rows[cells[0]], "The test doesn't know \(cells[0])")
      said.insert(cells[0])
      #expect(cells[1] == row.works && cells[2].contains(row.word), "\(cells)")
      for finding in row.findings {
        let works =
          switch finding.outcome {
          case .passed: "yes"
          case _ where finding.detail.hasSuffix("has everything that Baton needs."): "should"
          case _ where finding.detail.contains("systemd isn't running"): "partly"
          default: "no"
          }
        #expect(works == row.works && finding.detail.contains(row.word), "\(finding.detail)")
      }
    }
    #expect(said == Set(rows.keys))
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
