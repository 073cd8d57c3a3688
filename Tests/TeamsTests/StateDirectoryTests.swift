// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Glibc
import Testing

@testable import Teams

/// Who holds the state directory, and what is repaired in it.
@Suite struct StateDirectoryTests {
  private let directory = TestDirectory()
  private var path: String { directory.path }
  private let log = Journal()

  init() { #expect(mkdir(directory.path, 0o700) == 0) }

  private func open() throws -> StateDirectory { try StateDirectory(path) { log.lines.append($0) } }

  @Test func oneDaemonHoldsIt() throws {
    let first = try open()
    #expect(throws: StateDirectory.Failure.inUse) { try open() }
    first.release()
    _ = try open()
  }

  @Test func aLaterLayoutIsRefusedAndNothingChanged() throws {
    let later = StateLayout.current + 1
    try directory.write("\(later) \(later)\n", to: StateLayout.path(in: path))
    chmod(path, 0o777)
    let before = directory.modes
    #expect(throws: StateDirectory.Failure.laterVersion(layout: later)) { try open() }
    #expect(directory.modes == before && log.lines.isEmpty)
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o777)
  }

  @Test func theLayoutIsWritten() throws {
    #expect(try StateLayout.read(in: path) == 1)
    _ = try open()
    #expect(try StateLayout.read(in: path) == StateLayout.current)
    #expect(log.lines.isEmpty)
  }

  /// They include each text that one damaged byte makes of the present one.
  @Test(arguments: ["", "2", "3 2\n", "2 3\n", "0 0\n", "-1 -1\n", "garbage\n", String(repeating: "9", count: 70)])
  func aDamagedLayoutIsSetAside(_ text: String) throws {
    let file = StateLayout.path(in: path)
    try directory.write(text, to: file)
    _ = try open()
    #expect(try StateLayout.read(in: path) == StateLayout.current)
    #expect(try String(contentsOfFile: file + Files.unreadableMark + "1", encoding: .utf8) == text)
    #expect(log.lines.contains { $0.contains(file) }, "\(log.lines)")
  }

  @Test func whatIsOpenToOthersIsClosedAndSaid() throws {
    let file = path + "/static-peers.json"
    try directory.write("[]", to: file)
    try FileManager.default.createDirectory(atPath: path + "/teams", withIntermediateDirectories: false)
    let code = path + "/teams/a/invitations/b.json"
    try FileManager.default.createDirectory(atPath: path + "/teams/a/invitations", withIntermediateDirectories: true)
    try directory.write("{}", to: code)
    for name in ["a", "a/invitations"] { chmod("\(path)/teams/\(name)", 0o700) }
    for (path, mode) in [(path, mode_t(0o777)), (path + "/teams", 0o755), (file, 0o666), (code, 0o640)] {
      chmod(path, mode)
    }
    _ = try open()
    #expect(directory.modes["teams"] == 0o700 && directory.modes["static-peers.json"] == 0o600)
    #expect(directory.modes["teams/a/invitations/b.json"] == 0o600)
    #expect(log.lines.count == 4 && log.lines.contains { $0.contains("777") }, "\(log.lines)")
    log.lines = []
    _ = try open()
    #expect(log.lines.isEmpty)
  }

  @Test(.enabled(if: geteuid() == 0)) func anothersDirectoryIsRefused() throws {
    chown(path, 1234, 0)
    let error = #expect(throws: StateDirectory.Failure.self) { try open() }
    guard case .unusable(let text) = error else { throw CancellationError() }
    #expect(text.contains("1234"), "\(text)")
  }

  @Test(arguments: OddFile.allCases) func aLockThatIsNoFileIsSetAside(_ odd: OddFile) throws {
    try odd.make(path + "/lock")
    let first = try open()
    #expect(throws: StateDirectory.Failure.inUse) { try open() }
    first.release()
  }
}

extension StateDirectory.Failure: Equatable {
  public static func == (left: Self, right: Self) -> Bool { "\(left)" == "\(right)" }
}

/// Things that are not files, but can be in a file's place.
enum OddFile: CaseIterable, Sendable {
  case fifo, socket, directory, danglingLink, deviceLink

  func make(_ path: String) throws {
    switch self {
    case .fifo: #expect(mkfifo(path, 0o600) == 0)
    case .socket:
      // A socket's address must be shorter than many paths are.
      let name = "/tmp/baton-\(UUID().uuidString)"
      let descriptor = try Sockets.listen(path: name, mode: 0o600)
      close(descriptor)
      #expect(rename(name, path) == 0)
    case .directory: #expect(mkdir(path, 0o700) == 0)
    case .danglingLink: #expect(symlink("/nowhere/at/all", path) == 0)
    case .deviceLink: #expect(symlink("/dev/zero", path) == 0)
    }
  }
}

/// The lines of a log.
final class Journal {
  var lines: [String] = []
}
