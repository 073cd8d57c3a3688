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
      // A link to a folder is one.
      try write("elsewhere/l.desktop", "l.m")
      let link = home.appending(path: "user/share/applications/link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home.appending(path: "elsewhere"))
      try expect("a.b", "l.m")
      try write("elsewhere/n.desktop", "n.o")
      try expect("a.b", "l.m", "n.o")
      try FileManager.default.removeItem(at: link)
      try expect("a.b")
    }

    /// Of a folder that is made while the folders above it are looked for.
    @Test func noFolderIsMissed() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let below = Array(repeating: "a", count: 500).joined(separator: "/")
      let (path, away) = (home.appending(path: "made").path, home.appending(path: "away").path)
      try FileManager.default.createDirectory(atPath: "\(away)/\(below)", withIntermediateDirectories: true)
      for round in 0..<100 {
        let making = onThread {
          usleep(UInt32(round % 20) * 20)
          try FileManager.default.moveItem(atPath: away, toPath: path)
        }
        let change = Outcome<Bool>()
        let watch = try onLoop {
          let watch = FolderWatch()
          watch?.onChange = { change.set(.success(true)) }
          watch?.add("\(path)/\(below)")
          return watch
        }
        try making.wait()
        let entry = "\(path)/\(below)/\(round).desktop"
        try "".write(toFile: entry, atomically: false, encoding: .utf8)
        try waitUntil("Round \(round) is noticed") { change.isSet }
        withExtendedLifetime(watch) {}
        try FileManager.default.removeItem(atPath: entry)
        try FileManager.default.moveItem(atPath: path, toPath: away)
      }
    }
  }
}
