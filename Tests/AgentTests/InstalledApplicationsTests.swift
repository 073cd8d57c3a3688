import DesktopEntries
import EventLoop
import Foundation
import Systemd
import TestSupport
import Testing

@testable import Agent

extension AgentTests {
  struct InstalledApplicationsTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "baton-agent-\(UUID().uuidString)")

    private func write(_ path: String, _ type: String?) throws {
      let url = home.appending(path: path)
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      let keys = type.map { "X-Baton-ActivityTypes=\($0)" } ?? "Hidden=true\nX-Baton-ActivityTypes=a.b"
      let text = "[Desktop Entry]\nType=Application\nName=A\nExec=a\n\(keys)\n"
      try text.write(to: url, atomically: true, encoding: .utf8)
    }

    @Test func foldersAreFollowedAsTheyComeAndGo() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      let path = home.path
      let installed = try onLoop {
        let environment = ProcessEnvironment(["XDG_DATA_HOME": "\(path)/user/share", "XDG_DATA_DIRS": "\(path)/system"])
        let installed = InstalledApplications(environment, log: Log(level: .error))
        installed.start()
        return installed
      }
      defer { try? onLoop { installed.stop() } }
      func expect(_ types: String...) throws {
        try waitUntil("The types are \(types)") { try onLoop { installed.catalog.activityTypes } == types }
      }
      try expect()
      try write("system/applications/a.desktop", "a.b")
      try expect("a.b")
      try write("user/share/applications/kde/c.desktop", "c.d")
      try expect("a.b", "c.d")
      try write("user/share/applications/kde-c.desktop", "e.f")
      try expect("a.b", "c.d")
      try FileManager.default.removeItem(at: home.appending(path: "user/share/applications/kde"))
      try expect("a.b", "e.f")
      try write("user/share/applications/a.desktop", nil)
      try expect("e.f")
      try FileManager.default.removeItem(at: home.appending(path: "user"))
      try expect("a.b")
      try write("user/share/applications/a.desktop", "g.h")
      try expect("g.h")
      try FileManager.default.moveItem(
        at: home.appending(path: "user/share/applications/a.desktop"),
        to: home.appending(path: "user/share/applications/a.text")
      )
      try expect("a.b")
    }
  }
}
