// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Foundation
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  struct InstalledApplicationsTests {
    var home = FileManager.default.temporaryDirectory.appending(path: "baton-agent-\(UUID().uuidString)")

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
      // A link to a folder counts as a folder.
      try write("elsewhere/l.desktop", "l.m")
      let link = home.appending(path: "user/share/applications/link")
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: home.appending(path: "elsewhere"))
      try expect("a.b", "l.m")
      try write("elsewhere/n.desktop", "n.o")
      try expect("a.b", "l.m", "n.o")
      try FileManager.default.removeItem(at: link)
      try expect("a.b")
    }

    @Loop
    private final class Kernel {
      var hasWatches = false
      var asked = 0

      func makeWatch() throws(SystemError) -> FolderWatch {
        asked += 1
        guard hasWatches else { throw SystemError("inotify_init1", EMFILE) }
        return try FolderWatch()
      }
    }

    /// Without a watch, installed apps are found by reading the folders repeatedly, until there is a watch.
    @Test func withoutAWatchFoldersAreReadAgainUntilThereIsOne() throws {
      let home = FileManager.default.temporaryDirectory.appending(path: "baton-agent-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: home) }
      let tests = InstalledApplicationsTests(home: home)
      let clock = try ManualClock.install()
      let environment = ProcessEnvironment(["XDG_DATA_HOME": home.path, "XDG_DATA_DIRS": "/nonexistent"])
      let kernel = try onLoop { Kernel() }
      let installed = try onLoop {
        let installed = InstalledApplications(environment, log: Log(level: .error)) { () throws(SystemError) in
          try kernel.makeWatch()
        }
        installed.start()
        return installed
      }
      func types() throws -> [String] { try onLoop { installed.catalog.activityTypes } }
      func asked() throws -> Int { try onLoop { kernel.asked } }
      try tests.write("applications/a.desktop", "a.b")
      #expect(try types() == [])
      try clock.pass(InstalledApplications.folderWatchBackoff.lowerBound)
      #expect(try types() == ["a.b"])
      #expect(try asked() == 2)
      // The folders are read less and less often, but not too seldom.
      try clock.pass(.seconds(600))
      let often = try asked()
      #expect((11...30).contains(often))
      try clock.pass(InstalledApplications.folderWatchBackoff.upperBound)
      #expect(try asked() > often)
      // The watch finds what was installed in the meantime, and from then on everything immediately.
      try tests.write("applications/c.desktop", "c.d")
      try onLoop { kernel.hasWatches = true }
      try clock.pass(InstalledApplications.folderWatchBackoff.upperBound)
      #expect(try types() == ["a.b", "c.d"])
      let last = try asked()
      try clock.pass(.seconds(600))
      #expect(try asked() == last)
      try tests.write("applications/e.desktop", "e.f")
      try waitUntil("It is noticed") {
        try clock.pass(InstalledApplications.applicationsQuietTime)
        return try types() == ["a.b", "c.d", "e.f"]
      }
      try onLoop { installed.stop() }
    }

    private func leftOut() throws -> [LeftOut] {
      let path = home.path
      return try onLoop {
        var folders = ApplicationFolders(CatalogBuilder(), nil)
        folders.read(path)
        return folders.builder.catalog.leftOut
      }
    }

    @Test func thereIsAnEndToFilesAndOneThatIsLeftOutIsSaid() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      for number in 0..<ApplicationFolders.applicationNames {
        close(creat(home.appending(path: "\(number).text").path, 0o600))
      }
      #expect(try leftOut() == [])
      close(creat(home.appending(path: "more.text").path, 0o600))
      #expect(try leftOut().map(\.limit) == ["there are more than \(ApplicationFolders.applicationNames) files"])
    }

    @Test func thereIsAnEndToFoldersAndWhatIsLeftOutIsSaid() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      let path = home.path
      let below = (1..<Limits.applicationFolderDepth).map { "\($0)" }.joined(separator: "/")
      try write("\(below)/a.desktop", "a.b")
      #expect(try leftOut() == [])
      try write("\(below)/deep/a.desktop", "a.b")
      #expect(try leftOut().map(\.path) == ["\(path)/\(below)/deep"])
      try FileManager.default.removeItem(at: home.appending(path: "1"))
      for number in 1..<Limits.applicationFolders { try write("\(number + 1000)/a.desktop", "a.b") }
      #expect(try leftOut() == [])
      try write("z/z.desktop", "z.z")
      #expect(try leftOut().map(\.path) == ["\(path)/z"])
    }

    /// No folder is missed, even if it is created while the folders above it are searched.
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
          let watch = try FolderWatch()
          watch.onChange = { change.set(.success(true)) }
          watch.add("\(path)/\(below)")
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
