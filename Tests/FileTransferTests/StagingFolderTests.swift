// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.isolated)
struct StagingFolderTests {
  private let machines: Machines

  init() throws { machines = try Machines() }

  @Test func whatHasArrivedIsListedAndDeleted() throws {
    for name in ["one", "two"] {
      _ = try StagingFolder(in: machines.there, transfer: name)
      let path = "\(machines.there)/\(StagingFolder.name)/\(name)/files/a"
      #expect(FileManager.default.createFile(atPath: path, contents: Data("a".utf8)))
    }
    #expect(StagingFolder.transfers(in: machines.there) == ["one", "two"])
    StagingFolder.discard(in: machines.there, transfer: "one")
    #expect(machines.names(StagingFolder.name) == ["two"])
    StagingFolder.discard(in: machines.there, transfer: "two")
    #expect(machines.names().isEmpty)
    #expect(StagingFolder.transfers(in: "\(machines.there)/nothing").isEmpty)
  }

  @Test func theEndOfOneTransferIsNoObstacleToAnother() throws {
    let there = machines.there
    let rounds = 500
    let ended = DispatchSemaphore(value: 0)
    let isRunning = OwnThread.run {
      for _ in 0..<rounds { (try? StagingFolder(in: there, transfer: "one"))?.remove() }
      ended.signal()
    }
    #expect(isRunning)
    for _ in 0..<rounds { try StagingFolder(in: there, transfer: "two").remove() }
    ended.wait()
    #expect(machines.names().isEmpty)
  }

  @Test func whatAnotherUserHasMadeIsNotUsed() throws {
    guard geteuid() == 0 else { return }
    let incoming = "\(machines.there)/\(StagingFolder.name)"
    #expect(mkdir(incoming, 0o777) == 0 && chown(incoming, 65534, 65534) == 0)
    #expect(throws: SystemError.self) { try StagingFolder(in: machines.there, transfer: "t") }
    #expect(machines.names(StagingFolder.name).isEmpty)
    #expect(StagingFolder.obstacle(to: machines.there)?.code == EPERM, "The doctor says so before anything is sent")
  }

  @Test func whatKeepsFilesFromArrivingIsNamed() throws {
    #expect(StagingFolder.obstacle(to: machines.there) == nil)
    #expect(StagingFolder.obstacle(to: "\(machines.there)/new") == nil, "It is made")
    #expect(StagingFolder.obstacle(to: "\(machines.there)/new/inner")?.code == ENOENT)
    let file = "\(machines.there)/file"
    #expect(FileManager.default.createFile(atPath: file, contents: nil))
    #expect(StagingFolder.obstacle(to: file)?.code == ENOTDIR)
    #expect(symlink("/", "\(machines.there)/\(StagingFolder.name)") == 0)
    #expect(StagingFolder.obstacle(to: machines.there)?.code == EPERM, "A link leads anywhere")
  }
}
