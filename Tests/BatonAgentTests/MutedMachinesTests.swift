// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import Glibc
import Systemd
import TestSupport
import Testing

@testable import BatonAgent

extension AgentTests {
  struct MutedMachinesTests {
    private let home = FileManager.default.temporaryDirectory.appending(path: "baton-muted-\(UUID().uuidString)")
    private var file: URL { home.appending(path: ".config/baton/muted-machines") }

    private func device(_ number: UInt8) throws -> DeviceID {
      try #require(DeviceID(bytes: Array(repeating: number, count: DeviceID.byteCount)))
    }

    private func start() throws -> MutedMachines {
      let path = home.path
      return try onLoop {
        let muted = MutedMachines(ProcessEnvironment(["HOME": path]), log: Log(level: .error))
        muted.start()
        return muted
      }
    }

    private func expect(_ devices: Set<DeviceID>, _ muted: MutedMachines) throws {
      try waitUntil("\(devices) are muted") { try onLoop { muted.devices } == devices }
    }

    @Test func theyStayMutedUntilTheirLineIsDeleted() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
      let (first, second) = (try device(1), try device(2))
      let muted = try start()
      try expect([], muted)
      try onLoop {
        muted.mute(first, name: "lap\ntop")
        muted.mute(first, name: "lap\ntop")
        muted.mute(second, name: "phone")
      }
      try expect([first, second], muted)
      let text = try String(contentsOf: file, encoding: .utf8)
      #expect(text == "\(first.text) lap\\u{a}top\n\(second.text) phone\n")
      try onLoop { muted.stop() }
      let again = try start()
      try expect([first, second], again)
      // Write the file as editors do: as a new file, without a newline at the end.
      try "# Mine\n\(second.text)".write(to: file, atomically: true, encoding: .utf8)
      try expect([second], again)
      try onLoop { again.mute(first, name: "laptop") }
      try expect([first, second], again)
      #expect(try String(contentsOf: file, encoding: .utf8) == "# Mine\n\(second.text)\n\(first.text) laptop\n")
      try FileManager.default.removeItem(at: file)
      try expect([], again)
      try onLoop { again.stop() }
    }

    /// Nothing waits for a FIFO, an endless file is not read, and muted machines stay muted.
    @Test func aFileThatIsNoneUnmutesNobody() throws {
      defer { try? FileManager.default.removeItem(at: home) }
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let (first, second) = (try device(1), try device(2))
      try "\(first.text)\n".write(to: file, atomically: true, encoding: .utf8)
      let muted = try start()
      try expect([first], muted)
      try FileManager.default.removeItem(at: file)
      try expect([], muted)
      #expect(mkfifo(file.path, 0o600) == 0)
      try onLoop { muted.mute(second, name: "phone") }
      // This could not be written to the file, and lasts until the agent ends.
      try expect([second], muted)
      try onLoop { muted.stop() }
    }
  }
}
