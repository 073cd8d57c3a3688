// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import BatonCommand

struct NewDirectoryTests {
  /// A directory that exists as long as the test.
  private final class Folder {
    let path = NSTemporaryDirectory() + "baton-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private func names(_ path: String? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path ?? folder.path).sorted()
  }

  private func mode(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test(arguments: ["server", "server/", "server//", "b\u{FC}ro \u{1F4BB}", "e\u{301}"])
  func everythingIsThereAtOnceAndOnlyForItsUser(_ name: String) throws {
    let path = "\(folder.path)/\(name)"
    let directory = try NewDirectory(path)
    try directory.write("a", to: "nats.conf")
    try directory.write("b", to: "relay/key.pem")
    try directory.write("c", to: "relay/cert.pem")
    #expect(try names().count == 1 && !FileManager.default.fileExists(atPath: path), "It has no name yet")
    try directory.publish()
    #expect(try names(path) == ["nats.conf", "relay"] && names("\(path)/relay") == ["cert.pem", "key.pem"])
    #expect(try String(contentsOfFile: "\(path)/relay/key.pem", encoding: .utf8) == "b")
    for name in ["", "/relay"] { #expect(try mode(path + name) == 0o700) }
    for name in ["/nats.conf", "/relay/key.pem"] { #expect(try mode(path + name) == 0o600) }
    #expect(try names().count == 1)
  }

  @Test func whatIsNotPublishedLeavesNothing() throws {
    do {
      let directory = try NewDirectory("\(folder.path)/server")
      try directory.write("a", to: "nats.conf")
      try directory.write("b", to: "relay/key.pem")
      #expect(throws: CommandError.self) { try directory.write("again", to: "nats.conf") }
    }
    #expect(try names().isEmpty)
  }

  @Test func nothingIsReplaced() throws {
    let path = "\(folder.path)/server"
    let directory = try NewDirectory(path)
    try directory.write("a", to: "nats.conf")
    // Somebody else is faster.
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: CommandError.self) { try directory.publish() }
    #expect(throws: CommandError.self) { try NewDirectory(path) }
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/link", withDestinationPath: "/nonexistent")
    #expect(throws: CommandError.self) { try NewDirectory("\(folder.path)/link") }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  @Test func whatIsPutInItsPlaceGetsNothing() throws {
    let others = "\(folder.path)/others"
    try FileManager.default.createDirectory(atPath: others, withIntermediateDirectories: false)
    let directory = try NewDirectory("\(folder.path)/server")
    let new = try #require(try names().first { $0 != "others" })
    try FileManager.default.moveItem(atPath: "\(folder.path)/\(new)", toPath: "\(folder.path)/moved")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/\(new)", withDestinationPath: others)
    try directory.write("a", to: "server.key")
    try directory.write("b", to: "relay/key.pem")
    #expect(throws: CommandError.self) { try directory.publish() }
    #expect(try names(others).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/server"))
  }

  @Test(arguments: ["", "/", "//", "."]) func aNameIsNeeded(_ path: String) {
    #expect(throws: CommandError.self) { try NewDirectory(path) }
  }

  @Test(arguments: ["", "/a", "a/", "../a", "a/..", ".", "a/b/c", "a//b"])
  func nothingIsWrittenElsewhere(_ name: String) throws {
    let directory = try NewDirectory("\(folder.path)/server")
    #expect(throws: CommandError.self) { try directory.write("x", to: name) }
  }
}
