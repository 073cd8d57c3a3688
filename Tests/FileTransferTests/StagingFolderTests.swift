import EventLoop
import FileTransfer
import Foundation
import TestSupport
import Testing

@Suite(.isolated)
struct StagingFolderTests {
  private let machines: Machines

  init() throws { machines = try Machines() }

  @Test func whatNobodyWantsIsDeleted() throws {
    for name in ["one", "two", "three"] {
      _ = try StagingFolder(in: machines.there, transfer: name)
      let path = "\(machines.there)/\(StagingFolder.name)/\(name)/files/a"
      #expect(FileManager.default.createFile(atPath: path, contents: Data("a".utf8)))
    }
    StagingFolder.discardAll(in: machines.there, except: ["two", "four"])
    #expect(machines.names(StagingFolder.name) == ["two"])
    StagingFolder.discardAll(in: machines.there, except: [])
    #expect(machines.names().isEmpty)
    StagingFolder.discardAll(in: "\(machines.there)/nothing", except: [])
    #expect(machines.names().isEmpty)
  }

  @Test func whatAnotherUserHasMadeIsNotUsed() throws {
    guard geteuid() == 0 else { return }
    let incoming = "\(machines.there)/\(StagingFolder.name)"
    #expect(mkdir(incoming, 0o777) == 0 && chown(incoming, 65534, 65534) == 0)
    #expect(throws: SystemError.self) { try StagingFolder(in: machines.there, transfer: "t") }
    #expect(machines.names(StagingFolder.name).isEmpty)
  }
}
