// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hosts
import TestSupport
import Testing

@Suite(.isolated)
struct PrivateDirectoryTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  /// The names of the directories, after they have got older.
  private func age() throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: machine.root)
    for name in names {
      let date = Date(timeIntervalSinceNow: -3600)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(machine.root)/\(name)")
    }
    return Set(names)
  }

  @Test func whatAKilledProcessHasLeftIsRemoved() throws {
    try machine.write("A text that was not saved", to: "baton-editor-killed/text-1")
    try machine.write("Another program's", to: "baton-other/text-1")
    let root = machine.root
    let first = try onLoop {
      let directory = try PrivateDirectory(in: root)
      _ = try directory.newFile()
      return directory
    }
    // It was too young to be abandoned.
    #expect(try age().contains("baton-editor-killed"))
    let second = try onLoop { try PrivateDirectory(in: root) }
    let left = try age()
    #expect(!left.contains("baton-editor-killed"))
    #expect(left.contains("baton-other"))
    let both = try onLoop { [first.path, second.path] }
    for path in both { #expect(left.contains((path as NSString).lastPathComponent)) }
    #expect(access("\(both[0])/text-1", F_OK) == 0)
    try onLoop { first.remove() }
    #expect(access(both[0], F_OK) != 0)
  }
}
