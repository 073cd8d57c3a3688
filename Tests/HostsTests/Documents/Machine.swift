// SPDX-License-Identifier: Apache-2.0

import Activity
import ChildProcess
import Foundation
import Hosts
import TestSupport

/// The files of a user, for one test.
final class Machine {
  let root: String
  var home: String { "\(root)/home" }
  var places: DocumentPlaces { DocumentPlaces(home: home, stateDirectory: "\(root)/state") }

  init() throws {
    let path = NSTemporaryDirectory() + "baton-documents-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: "\(path)/home", withIntermediateDirectories: true)
    guard let real = realpath(path, nil) else { throw TestFailure("realpath") }
    defer { free(real) }
    root = String(cString: real)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// Writes a file below the root, and returns its path.
  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = "\(root)/\(name)"
    try makeDirectory((name as NSString).deletingLastPathComponent)
    guard FileManager.default.createFile(atPath: path, contents: Data(text.utf8)) else { throw TestFailure(path) }
    return path
  }

  @discardableResult
  func makeDirectory(_ name: String) throws -> String {
    try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    return "\(root)/\(name)"
  }

  func link(_ name: String, to target: String) throws {
    guard symlink(target, "\(root)/\(name)") == 0 else { throw TestFailure("symlink \(name): \(errno)") }
  }

  func text(of name: String) throws -> String { try String(contentsOfFile: "\(root)/\(name)", encoding: .utf8) }

  func git(_ arguments: String..., in name: String) throws {
    let words = ["git", "-C", "\(root)/\(name)", "-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    let process = try ChildProcess(["/usr/bin/env"] + words + arguments, standardOutput: STDERR_FILENO)
    guard process.waitUntilExit() == 0 else { throw TestFailure("git \(arguments)") }
  }

  /// Makes a clone with one file and one commit.
  func makeClone(_ name: String, of url: String, file: String = "sub/notes.txt", text: String = "Hello\n") throws {
    try write(text, to: "\(name)/\(file)")
    try git("init", "-q", in: name)
    try git("remote", "add", "origin", url, in: name)
    try git("add", "-A", in: name)
    try git("commit", "-qm", "One", in: name)
  }

  /// Shares directories below the root under their names.
  func shared(_ names: String...) throws -> SharedFolders {
    var folders = SharedFolders()
    for name in names { try folders.add(name, at: try makeDirectory(name)) }
    return folders
  }
}
