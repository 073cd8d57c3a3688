// SPDX-License-Identifier: Apache-2.0

import Glibc
import Testing

@testable import EventLoop

/// A program whose file is replaced while it runs.
struct RunningFileTests {
  /// A folder with `baton`, which runs, and whether it counts as replaced after `change`.
  private func isReplaced(mark: String = "", after change: (String) throws -> Void) throws -> Bool {
    var template = Array("/tmp/baton-test.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = String(decoding: template.dropLast().map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    defer { Self.remove(folder) }
    let path = "\(folder)/baton"
    try make(path)
    // A second name of the running file, as /proc/self/exe is one.
    try #require(link(path, "\(folder)/running") == 0)
    try change(path)
    return RunningFile(path: path + mark, own: "\(folder)/running").isReplaced
  }

  private static func remove(_ folder: String) {
    for name in Folder.names(in: folder) where unlink("\(folder)/\(name)") != 0 { rmdir("\(folder)/\(name)") }
    rmdir(folder)
  }

  private func make(_ path: String, mode: mode_t = 0o755) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    try #require(descriptor >= 0)
    close(descriptor)
  }

  private func replace(_ path: String, mode: mode_t = 0o755) throws {
    try make("\(path).new", mode: mode)
    try #require(rename("\(path).new", path) == 0)
  }

  @Test func anotherFileOfItsNameReplacesIt() throws {
    #expect(try isReplaced { try replace($0) })
    #expect(try isReplaced(mark: " (deleted)") { try replace($0) })
    #expect(
      try isReplaced {
        unlink($0)
        try make($0)
      }
    )
  }

  @Test func nothingElseDoes() throws {
    #expect(try !isReplaced { _ in })
    #expect(try !isReplaced { chmod($0, 0o700) })
    #expect(try !isReplaced { utimes($0, nil) })
    // Uninstalled, or half installed.
    #expect(try !isReplaced { unlink($0) })
    #expect(try !isReplaced { try replace($0, mode: 0o644) })
    #expect(
      try !isReplaced {
        unlink($0)
        mkdir($0, 0o755)
      }
    )
    #expect(
      try !isReplaced {
        unlink($0)
        symlink("/bin/sh", $0)
      }
    )
    #expect(!RunningFile(path: nil, own: "/proc/self/exe").isReplaced)
    #expect(!RunningFile().isReplaced)
  }

  @Test func nothingThatOthersCanWriteDoes() throws {
    for mode: mode_t in [0o757, 0o775, 0o777] {
      #expect(
        try !isReplaced {
          try replace($0)
          chmod($0, mode)
        }
      )
    }
    #expect(
      try !isReplaced {
        try replace($0)
        chmod(String($0.dropLast("/baton".count)), 0o777)
      }
    )
    #expect(
      try isReplaced {
        try replace($0)
        chmod(String($0.dropLast("/baton".count)), 0o1777)
      }
    )
  }

  @Test func itsOwnerIsRootOrThisUserOrTheOwnerOfTheRunningFile() {
    func isTrusted(_ owner: uid_t, folder: uid_t = 0, running: uid_t = 0, group: gid_t = 0) -> Bool {
      var (file, place, old) = (stat(), stat(), stat())
      (file.st_uid, file.st_mode, file.st_gid) = (owner, S_IFREG | 0o775, group)
      (place.st_uid, place.st_mode) = (folder, S_IFDIR | S_ISVTX | 0o777)
      (old.st_uid, old.st_mode) = (running, S_IFREG | 0o775)
      return RunningFile.isTrusted(file, in: place, insteadOf: old, user: 1000)
    }
    #expect(isTrusted(0))
    #expect(isTrusted(1000))
    #expect(isTrusted(1001, running: 1001))
    #expect(isTrusted(1000, folder: 1000))
    #expect(!isTrusted(1001))
    #expect(!isTrusted(1001, running: 1000))
    #expect(!isTrusted(1000, folder: 1001))
    #expect(!isTrusted(1000, group: 100))
  }
}
