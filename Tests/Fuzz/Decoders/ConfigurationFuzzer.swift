// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import BatonDaemon

/// A configuration file. The configuration in effect is written as a file that means the same.
enum ConfigurationFuzzer: Fuzzer {
  static let seeds = [
    """
    # A comment
    [Device]
    Name = Küche
    [Network]
    Port=22866
    Discovery=no
    Interfaces=eth* wlan0
    ExcludeInterfaces=eth9
    Source=tailscale
    [Privacy]
    WithholdWhenLocked=off
    [shared-folders]
    Notes = /srv/my notes
    A.b_c-9=/a=b
    [Log]
    Level=debug
    """, "\u{FEFF}[Log]\r\n;x\r\nLevel=\r\n[Lag]\nName\n=a\n[shared-folders]\nA=/a\nA=/b\nB=../c\n",
  ].map { Array($0.utf8) }

  static let words =
    ConfigurationKey.sections.map { "[\($0)]\n" } + ConfigurationKey.allCases.map { "\($0.key)=" } + [
      "yes", "no", "65535", "tailscale", "\u{FEFF}", "\u{301}", "\u{2028}",
    ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    guard let text = String(validating: input, as: UTF8.self) else { return }
    var reader = ConfigurationReader()
    reader.read(text, path: "batond.conf")
    hold(reader.faults.count <= Limits.configurationFaults + 1, "\(reader.faults.count) faults")
    for fault in reader.faults {
      hold(!fault.description.unicodeScalars.contains { $0.value < 0x20 }, "A fault of several lines: \(fault)")
    }
    let configuration = reader.configuration
    hold(configuration.name?.utf8.count ?? 0 <= Limits.deviceNameLength, "A long name")
    hold(configuration.sharedFolders.all.count <= SharedFolders.sharedFolders, "Too many folders")
    var again = ConfigurationReader()
    again.read(reader.text, path: "effective.conf")
    same(again.faults, [], "What is in effect cannot be read")
    same(described(again.configuration), described(configuration), "What is in effect is read as something else")
  }

  /// Returns each value, and the folders in the order of their names.
  private static func described(_ configuration: Configuration) -> [String] {
    ConfigurationKey.allCases.map { $0.text(in: configuration) }
      + configuration.sharedFolders.all.map { "\($0.name)=\($0.path)" }
  }
}
