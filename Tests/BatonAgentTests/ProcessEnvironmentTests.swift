// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

@testable import BatonAgent

extension AgentTests {
  struct ProcessEnvironmentTests {
    private let own = ProcessEnvironment([
      "HOME": "/h", "PATH": "/own", "DISPLAY": ":1", "NOTIFY_SOCKET": "/n", "LISTEN_FDS": "1", "INVOCATION_ID": "1",
      "XDG_ACTIVATION_TOKEN": "old", "LIBDISPATCH_LOG": "NO", "SSH_AUTH_SOCK": "/gone", "BATON_SOCKET": "/s",
    ])

    @Test func appsGetTheManagersVariables() {
      let list = own.forApplication(manager: [
        "PATH=/m", "WAYLAND_DISPLAY=w=0", "NOTIFY_SOCKET=/m", "BATON_SOCKET=/m", "nonsense", "=x",
      ]).list
      // Of our own variables, only the daemon's socket and what every program needs are kept.
      #expect(list == ["BATON_SOCKET=/s", "HOME=/h", "PATH=/m", "WAYLAND_DISPLAY=w=0"])
    }

    @Test func withoutAManagerAppsGetOurVariables() {
      let list = own.forApplication().list
      #expect(list == ["BATON_SOCKET=/s", "DISPLAY=:1", "HOME=/h", "PATH=/own", "SSH_AUTH_SOCK=/gone"])
    }

    @Test func programsAreLookedForInThePath() {
      let environment = ProcessEnvironment(["PATH": "relative:/nonexistent:/usr/bin:/bin"])
      #expect(environment.program("env") == "/usr/bin/env")
      #expect(environment.program("/bin/sh") == "/bin/sh")
      for name in ["no-such-program", "", "../bin/sh", "/etc/passwd", "/usr", "/nonexistent"] {
        #expect(environment.program(name) == nil, "\(name)")
      }
    }

    @Test func dataDirectoriesAreThoseOfTheSpecification() {
      func directories(_ values: [String: String]) -> [String] {
        InstalledApplications.directories(ProcessEnvironment(values))
      }
      let standard = ["/usr/local/share/applications", "/usr/share/applications"]
      #expect(directories(["HOME": "/h"]) == ["/h/.local/share/applications"] + standard)
      #expect(directories(["HOME": "/h", "XDG_DATA_HOME": "/d/"]) == ["/d/applications"] + standard)
      #expect(directories(["XDG_DATA_HOME": "d", "XDG_DATA_DIRS": ""]) == standard)
      #expect(directories(["XDG_DATA_DIRS": "/a::rel:/b:/a"]) == ["/a/applications", "/b/applications"])
    }

    @Test func scopesAreNamedAsDesktopEnvironmentsDoIt() {
      #expect(
        UserManager.scopeName("org.example.A-b c", random: 0xAB)
          == #"app-baton-org.example.A\x2db\x20c-00000000000000ab.scope"#
      )
      #expect(UserManager.escaped(".a.ü") == #"\x2ea.\xc3\xbc"#)
      let long = UserManager.scopeName("org." + String(repeating: "-", count: 250), random: 1)
      #expect(long.utf8.count > 250 && long.utf8.count <= 255)
      #expect(long.hasSuffix(#"\x2d-0000000000000001.scope"#))
    }
  }
}
