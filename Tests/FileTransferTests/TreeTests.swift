// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Desktop
import Foundation
import TestSupport
import Testing

/// Folders arrive as they were.
@Suite(.isolated)
struct TreeTests {
  private let machines: Machines

  init() throws { machines = try Machines() }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    guard lstat(path, &status) == 0 else { throw TestFailure("\(path): \(errno)") }
    return status
  }

  private func mode(_ name: String) throws -> mode_t { try status("\(machines.there)/\(name)").st_mode & 0o7777 }

  @Test(arguments: [
    // Where the link is, what it says, and where it leads there.
    ("top/link", "HERE/top/a", "a"), ("top/x/link", "HERE/top/a", "../a"), ("top/link", "HERE/top", "."),
    ("top/link", "HERE/top/x/../a", "a"), ("top/link", "HERE/other/../top/x", "x"),
    ("top/link", "HERE/alias/x/y", "x/y"),
    ("top/link", "x/../x/y", "x/y"), ("top/x/link", "../../top/a", "../a"), ("top/x/link", "y/../../a", "../a"),
    ("top/link", "through/../a", "x/a"), ("top/link", "HERE/top/missing/one", "missing/one"),
    ("top/link", "HERE/top/through", "through"), ("top/link", "x/./y//", "x/./y//"), ("top/link", "missing", "missing"),
  ])
  func aLinkThatLeadsInsideArrives(_ name: String, _ target: String, _ arrived: String) throws {
    try machines.write(Data("a".utf8), to: "top/a")
    try machines.write(Data("b".utf8), to: "top/x/y/b")
    try machines.write(Data("o".utf8), to: "other/o")
    #expect(symlink("x/y", "\(machines.here)/top/through") == 0)
    #expect(symlink("top", "\(machines.here)/alias") == 0)
    let target = target.replacingOccurrences(of: "HERE", with: machines.here)
    #expect(symlink(target, "\(machines.here)/\(name)") == 0)
    let attempt = try machines.attempt(["top"])
    #expect(try attempt.sent.get().omissions == [])
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(machines.there)/\(name)") == arrived)
  }

  @Test(arguments: [
    "HERE/other/o", "HERE", "..", "../other", "x/../../other/o", "HERE/topper", "through/../../../other", "/",
    "missing/../../other", "HERE/top/missing/../../other",
  ])
  func aLinkThatLeadsOutsideIsLeftOut(_ target: String) throws {
    try machines.write(Data("b".utf8), to: "top/x/y/b")
    try machines.write(Data("o".utf8), to: "other/o")
    try machines.write(Data("o".utf8), to: "topper/o")
    #expect(symlink("x/y", "\(machines.here)/top/through") == 0)
    #expect(symlink(target.replacingOccurrences(of: "HERE", with: machines.here), "\(machines.here)/top/link") == 0)
    let sent = try machines.attempt(["top"]).sent.get()
    #expect(sent.omissions.map(\.path.text) == ["top/link"] && sent.omissions.first?.reason == .leadsOutside)
  }

  @Test func aFileWithSeveralNamesIsSentAndStoredOnce() throws {
    let data = Machines.random(2_000_000)
    try machines.write(data, to: "top/a")
    try machines.write(Data("c".utf8), to: "top/x/c")
    #expect(link("\(machines.here)/top/a", "\(machines.here)/top/x/b") == 0)
    #expect(link("\(machines.here)/top/a", "\(machines.here)/z") == 0)
    let attempt = try machines.attempt(["top", "z"])
    #expect(try attempt.received.get().omitted == 0)
    #expect(attempt.bytes < 2_100_000)
    let statuses = try ["top/a", "top/x/b", "z"].map { try status("\(machines.there)/\($0)") }
    #expect(Set(statuses.map(\.st_ino)).count == 1 && statuses[0].st_nlink == 3)
    #expect(machines.content("z") == data)
    #expect(try status("\(machines.there)/top/x/c").st_nlink == 1)
  }

  @Test func theNamesOfAFileThatIsLeftOutAreNamed() throws {
    let entries = try [
      TransferEntry("top", .folder), .file("top/a", size: 1), TransferEntry("top/b", .hardLink(file: 1)),
    ]
    let outcome = try machines.receive { peer in
      try peer.send(.entries(entries), .end(of: entries))
      try peer.wait { $0 == .go }
      try peer.send(.omitted(entry: 1, .changed), .end)
      try peer.wait { $0 == .finished(nil, omitted: 2) }
    }
    #expect(try outcome.result.get().omissions.map(\.path.text) == ["top/a", "top/b"])
    #expect(try outcome.result.get().omissions.allSatisfy { $0.reason == .changed })
  }

  @Test func filesThatWereOneInAnEarlierAttemptBecomeTwo() throws {
    try machines.write(Data("first".utf8), to: "top/a")
    try machines.write(Data("second".utf8), to: "top/b")
    // It ended after it had made the links.
    let staged = "\(machines.there)/\(StagingFolder.name)/t/files/top"
    try FileManager.default.createDirectory(atPath: staged, withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: "\(staged)/a", contents: Data("first".utf8)))
    #expect(link("\(staged)/a", "\(staged)/b") == 0)
    _ = try machines.attempt(["top"]).received.get()
    #expect(machines.content("top/a") == Data("first".utf8))
    #expect(machines.content("top/b") == Data("second".utf8))
  }

  @Test func whatNotEverybodyCouldReadIsItsOwnersAlone() throws {
    let mask = umask(0o022)
    defer { umask(mask) }
    let modes: [(String, mode_t, mode_t)] = [
      ("top/key", 0o600, 0o600), ("top/group", 0o640, 0o600), ("top/open", 0o644, 0o644), ("top/tool", 0o700, 0o700),
      ("top/program", 0o755, 0o755), ("top/secret", 0o700, 0o700), ("top/team", 0o2770, 0o700),
      ("top/public", 0o755, 0o755),
      ("own", 0o600, 0o600),
    ]
    for name in ["top/key", "top/group", "top/open", "top/tool", "top/program", "own"] {
      try machines.write(Data(name.utf8), to: name)
    }
    for name in ["top/secret", "top/team", "top/public"] { try machines.write(Data(), to: "\(name)/file") }
    for (name, mode, _) in modes { #expect(chmod("\(machines.here)/\(name)", mode) == 0) }
    _ = try machines.attempt(["top", "own"]).received.get()
    for (name, _, arrived) in modes { #expect(try mode(name) == arrived, "\(name)") }
  }

  /// File managers start programs without a question. In a folder, they show the name and icon that a desktop entry has
  /// in it.
  @Test func nothingAtTheTopCanBeRun() throws {
    let names = [
      "tool", "run.sh", "photo.desktop", "top/photo.desktop", "top/Photo.DESKTOP", "top/x.kdelnk", "top/tool",
    ]
    for name in names {
      try machines.write(Data("#!/bin/sh\n".utf8), to: name)
      #expect(chmod("\(machines.here)/\(name)", 0o755) == 0)
    }
    _ = try machines.attempt(["tool", "run.sh", "photo.desktop", "top"]).received.get()
    #expect(try names.filter { try mode($0) & 0o111 != 0 } == ["top/tool"])
  }

  @Test(arguments: ["other", "top/x.desktop"])
  func aFileWithAnotherNameThereCannotBeRun(_ other: String) throws {
    try machines.write(Data("#!/bin/sh\n".utf8), to: "top/tool")
    #expect(chmod("\(machines.here)/top/tool", 0o755) == 0)
    #expect(link("\(machines.here)/top/tool", "\(machines.here)/\(other)") == 0)
    _ = try machines.attempt(other == "other" ? ["top", "other"] : ["top"]).received.get()
    #expect(try mode("top/tool") & 0o111 == 0 && mode(other) & 0o111 == 0)
  }

  @Test func whatBecamePrivateMeanwhileIs() throws {
    let mask = umask(0o022)
    defer { umask(mask) }
    try machines.write(Machines.random(3_000_000), to: "top/inner/a")
    #expect(throws: TransferStop.broken) { try machines.attempt(["top"], limit: 2_000_000).received.get() }
    #expect(chmod("\(machines.here)/top/inner/a", 0o600) == 0 && chmod("\(machines.here)/top/inner", 0o700) == 0)
    _ = try machines.attempt(["top"]).received.get()
    #expect(try mode("top/inner/a") == 0o600 && mode("top/inner") == 0o700)
  }
}
