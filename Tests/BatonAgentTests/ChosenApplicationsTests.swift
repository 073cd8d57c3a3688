// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop
import Foundation
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  struct ChosenApplicationsTests {
    @Test func theUsersFilesComeFirst() {
      let paths = ChosenApplications.paths(
        ProcessEnvironment([
          "HOME": "/home/a", "XDG_CONFIG_DIRS": "/etc/xdg:etc", "XDG_DATA_HOME": "/data", "XDG_DATA_DIRS": "/usr/share",
          "XDG_CURRENT_DESKTOP": "ubuntu:GNOME:../x",
        ])
      )
      #expect(
        paths
          == ["/home/a/.config", "/etc/xdg", "/data/applications", "/usr/share/applications"].flatMap { folder in
            ["ubuntu-mimeapps.list", "gnome-mimeapps.list", "mimeapps.list"].map { "\(folder)/\($0)" }
          }
      )
    }

    @Test func aChangeIsSeenAtOnce() throws {
      let home = FileManager.default.temporaryDirectory.appending(path: "baton-chosen-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: home) }
      let file = home.appending(path: ".config/mimeapps.list")
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let path = home.path
      let chosen = try onLoop { ChosenApplications(ProcessEnvironment(["HOME": path]), log: Log(level: .error)) }
      #expect(try onLoop { chosen.choices } == ApplicationChoices())
      let text = "[Default Applications]\nx-baton-activity/a.b=two.desktop\n"
      try text.write(to: file, atomically: true, encoding: .utf8)
      var expected = ApplicationChoices()
      expected.add(Array(text.utf8))
      #expect(try onLoop { chosen.choices } == expected)
      try FileManager.default.removeItem(at: file)
      // Nothing waits if there is something other than a file.
      #expect(mkfifo(file.path, 0o600) == 0)
      #expect(try onLoop { chosen.choices } == ApplicationChoices())
    }
  }
}
