// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import TestSupport
import Testing

@testable import Hosts

struct ArrivedFilesTests {
  private final class Folder {
    let path = NSTemporaryDirectory() + "baton-\(UUID().uuidString)"
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private let home: Folder

  init() throws { home = try Folder() }

  private func make(_ name: String) throws -> String {
    let path = "\(home.path)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  private func arrived(settings: String? = nil) throws -> ArrivedFiles {
    let path = "\(home.path)/agent.conf"
    try settings.map { try $0.write(toFile: path, atomically: true, encoding: .utf8) }
    return ArrivedFiles(home: home.path, settings: ["/nonexistent", path])
  }

  @Test func whatIsBelowTheFoldersHasArrived() throws {
    let (handoff, downloads) = (try make("Handoff/photos"), try make("Downloads/photos"))
    let usual = try arrived()
    #expect(usual.contains(handoff) && !usual.contains(downloads))
    let both = try arrived(settings: "[Files]\nFolder=~/Downloads\n")
    #expect(both.contains(handoff) && both.contains(downloads))
    let other = try make("Downloads2")
    #expect(!both.contains(home.path) && !both.contains(other))
  }

  @Test func aLinkOfTheHomeDirectoryHidesNothing() throws {
    let photos = try make("Handoff/photos")
    let other = try make("other") + "/home"
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: home.path)
    #expect(ArrivedFiles(home: other, settings: []).contains(photos))
    #expect(try arrived().contains("\(other)/Handoff/photos"))
  }

  @Test func whatIsMarkedHasArrivedWhereverItIs() throws {
    let photos = try make("Downloads/photos/inner")
    let folder = open("\(home.path)/Downloads", O_RDONLY | O_DIRECTORY)
    defer { close(folder) }
    ArrivalMark.set(on: Array("photos".utf8), in: folder)
    try #require(ArrivalMark.isSet("\(home.path)/Downloads/photos"), "The file system keeps attributes")
    #expect(try self.arrived().contains(photos))
    try FileManager.default.moveItem(atPath: "\(home.path)/Downloads/photos", toPath: "\(home.path)/src")
    let arrived = try self.arrived()
    #expect(arrived.contains("\(home.path)/src/inner") && !arrived.contains("\(home.path)/Downloads"))
    // A link to it leads there.
    try FileManager.default.createSymbolicLink(atPath: "\(home.path)/link", withDestinationPath: "src")
    #expect(arrived.contains("\(home.path)/link"))
  }
}
