// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import CSQLite
import Glibc
import Search
import TestSupport
import Testing

@Suite(.isolated) struct OpeningTests {
  private let fixture = Fixture()

  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test func filesAreTheUsersOnly() throws {
    let index = try fixture.index()
    try index.put([item("1", "Whale")], application: "app", now: 1)
    #expect(mode(fixture.home) == 0o700)
    for name in Fixture.names(in: fixture.home) { #expect(mode("\(fixture.home)/\(name)") == 0o600, "\(name)") }
    fixture.close()
    chmod(fixture.path, 0o666)
    chmod(fixture.home, 0o777)
    _ = try fixture.index()
    #expect(mode(fixture.path) == 0o600)
    #expect(mode(fixture.home) == 0o700)
  }

  @Test func keepsWhatItHas() throws {
    try fixture.index().put([item("1", "Whale")], application: "app", now: 1)
    let generation = try fixture.index().generation
    fixture.close()
    #expect(try fixture.index().generation == generation)
    #expect(try fixture.search("whale") == ["Whale"])
  }

  @Test func aReaderWaitsForTheTables() throws {
    // The file is there before the tables are.
    try fixture.index().close()
    Fixture.write([], to: fixture.path)
    let reader = fixture.reader()
    #expect(throws: IndexError.missing) { try reader.status() }
    fixture.close()
    try fixture.index().put([item("1", "Whale")], application: "app", now: 1)
    #expect(try reader.status().entries == 1)
  }

  @Test func onlyOneProcessOpensIt() throws {
    _ = try fixture.index()
    #expect(throws: IndexError.inUse) { try SearchIndex(directory: fixture.home) { "" } }
  }

  @Test func movesADamagedIndexAside() throws {
    try fixture.index().put([item("1", "Whale")], application: "app", now: 1)
    fixture.close()
    Fixture.write(
      Array("This is not a database, but it is long enough to be one. ".utf8) + Array(repeating: 7, count: 5000),
      to: fixture.path
    )
    let index = try fixture.index()
    #expect(index.damage != nil)
    #expect(index.damagedPath == "\(fixture.path).damaged")
    #expect(index.generation == "generation2")
    #expect(try fixture.search("whale") == [])
    try index.put([item("1", "Whale")], application: "app", now: 1)
    #expect(try fixture.search("whale") == ["Whale"])
  }

  /// The machine stops after the first page was written, which is empty.
  @Test func anIndexThatWasHardlyBegunIsNotDamaged() throws {
    mkdir(fixture.home, 0o700)
    var database: OpaquePointer?
    #expect(sqlite3_open(fixture.path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "PRAGMA journal_mode=WAL", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    #expect(!Fixture.bytes(of: fixture.path).isEmpty)
    let index = try fixture.index()
    #expect(index.damage == nil)
    #expect(index.damagedPath == nil)
    try index.put([item("1", "Whale")], application: "app", now: 1)
    #expect(try fixture.search("whale") == ["Whale"])
  }

  @Test(arguments: [false, true]) func beginsAgainIfItsFilesAreRemoved(isDirectoryRemoved: Bool) throws {
    let index = try fixture.index()
    try index.put([item("1", "Whale")], application: "app", now: 1)
    #expect(try fixture.search("whale") == ["Whale"])
    for name in Fixture.names(in: fixture.home) where isDirectoryRemoved || name != "search.lock" {
      Fixture.remove("\(fixture.home)/\(name)")
    }
    if isDirectoryRemoved { Fixture.remove(fixture.home) }
    try index.put([item("2", "Dolphin")], application: "app", now: 1)
    #expect(index.generation == "generation2")
    #expect(try fixture.search("dolphin") == ["Dolphin"])
    #expect(try fixture.search("whale") == [])
    #expect(throws: IndexError.inUse) { try SearchIndex(directory: fixture.home) { "" } }
    fixture.close()
    _ = try fixture.index()
    #expect(try fixture.search("dolphin") == ["Dolphin"])
  }

  @Test(arguments: ["-wal", "-shm"]) func losesNothingIfACompanionIsRemoved(suffix: String) throws {
    let index = try fixture.index()
    let reader = fixture.reader()
    let words = try #require(SearchWords("w"))
    for number in 1...4 {
      try index.put([item("\(number)", "W\(number)")], application: "app", now: 1)
      #expect(try reader.search(words, limit: 9, now: 1).count == number)
      Fixture.remove(fixture.path + suffix)
    }
    try index.put([item("5", "W5")], application: "app", now: 1)
    #expect(try reader.search(words, limit: 9, now: 1).count == 5)
    #expect(index.damage == nil)
    fixture.close()
    _ = try fixture.index()
    #expect(try fixture.search("w").count == 5)
  }

  /// What is in the place of the index may be precious.
  @Test func directoriesInTheWayAreKept() throws {
    for round in 1...3 {
      Fixture.remove(fixture.path)
      mkdir(fixture.home, 0o700)
      mkdir(fixture.path, 0o700)
      Fixture.write(Array("precious \(round)".utf8), to: "\(fixture.path)/file")
      let index = try fixture.index()
      #expect(index.damage != nil)
      try index.put([item("1", "Whale")], application: "app", now: 1)
      var all = ForgottenEntries()
      all.all = true
      #expect(try index.forget(all) == 1)
      fixture.close()
    }
    let kept = Fixture.names(in: fixture.home).map { Fixture.bytes(of: "\(fixture.home)/\($0)/file") }
    for round in 1...3 { #expect(kept.contains(Array("precious \(round)".utf8))) }
  }

  @Test(arguments: ["", "/search.db", "/search.db-wal", "/search.db-shm", "/search.lock"], [mode_t(0), 0o400, 0o200])
  func filesThatTheUserMayNotOpenAreOpened(name: String, mode: mode_t) throws {
    let user: uid_t = 65534
    let isRoot = geteuid() == 0
    if isRoot {
      chown(fixture.directory, user, user)
      #expect(seteuid(user) == 0)
    }
    defer { if isRoot { #expect(seteuid(0) == 0) } }
    let index = try fixture.index()
    try index.put([item("1", "Whale")], application: "app", now: 1)
    let copies = Fixture.names(in: fixture.home).map { ($0, Fixture.bytes(of: "\(fixture.home)/\($0)")) }
    fixture.close()
    // As after a crash.
    for (name, bytes) in copies { Fixture.write(bytes, to: "\(fixture.home)/\(name)") }
    chmod(fixture.home + name, mode)
    #expect(try fixture.index().damage == nil)
    #expect(try fixture.search("whale") == ["Whale"])
    #expect(self.mode(fixture.home + name) == (name.isEmpty ? 0o700 : 0o600))
    fixture.close()
  }

  @Test func aFailureToBeginAgainIsNotTheEnd() throws {
    let index = try fixture.index()
    try index.put([item("1", "Whale")], application: "app", now: 1)
    // Nothing can be made in a directory that is gone.
    rename(fixture.home, "\(fixture.home)-elsewhere")
    Fixture.write([], to: fixture.home)
    #expect(throws: IndexError.self) { try index.put([item("2", "Dolphin")], application: "app", now: 1) }
    #expect(throws: IndexError.self) { try index.put([item("2", "Dolphin")], application: "app", now: 1) }
    Fixture.remove(fixture.home)
    rename("\(fixture.home)-elsewhere", fixture.home)
    try index.put([item("2", "Dolphin")], application: "app", now: 1)
    #expect(try fixture.search("dolphin") == ["Dolphin"])
    #expect(try fixture.search("whale") == ["Whale"])
  }

  /// A reader finds that the index is damaged when it has already been moved aside.
  @Test func damageIsRepairedOnce() throws {
    let index = try fixture.index()
    let reader = fixture.reader()
    try index.put([item("1", "Whale")], application: "app", now: 1)
    let whale = try #require(SearchWords("whale"))
    #expect(try reader.search(whale, limit: 9, now: 1).count == 1)
    let file = reader.file
    try index.repair(.damaged("test"), in: file)
    #expect(index.damage == "test")
    try index.put([item("1", "Whale")], application: "app", now: 1)
    try index.repair(.damaged("again"), in: file)
    #expect(index.damage == "test")
    #expect(try reader.search(whale, limit: 9, now: 1).count == 1)
  }

  @Test func aReaderWaitsForAnIndex() throws {
    let reader = fixture.reader()
    #expect(throws: IndexError.missing) { try reader.status() }
    let index = try fixture.index()
    #expect(try reader.status().entries == 0)
    Fixture.remove(fixture.home)
    #expect(throws: IndexError.missing) { try reader.status() }
    try index.repair(.missing, in: reader.file)
    #expect(try reader.status().entries == 0)
  }

  @Test(arguments: 0..<3) func aReaderOpensFilesOnly(kind: Int) throws {
    let index = try fixture.index()
    let reader = fixture.reader()
    #expect(try reader.status().entries == 0)
    Fixture.remove(fixture.path)
    switch kind {
    case 0: mkfifo(fixture.path, 0o600)
    case 1: symlink("/etc/passwd", fixture.path)
    default: mkdir(fixture.path, 0o700)
    }
    #expect(throws: IndexError.missing) { try reader.status() }
    try index.repair(.missing, in: reader.file)
    #expect(try reader.status().entries == 0)
  }

  /// The machine stops when some of the files of a damaged index have been moved.
  @Test(arguments: ["", "-wal"]) func movingAsideMayStopInBetween(last: String) throws {
    try fixture.index().put([item("1", "Whale")], application: "app", now: 1)
    let log = Fixture.bytes(of: "\(fixture.path)-wal")
    #expect(!log.isEmpty)
    fixture.close()
    Fixture.write(log, to: "\(fixture.path)-wal")
    for suffix in last.isEmpty ? [""] : ["", "-wal"] {
      rename(fixture.path + suffix, "\(fixture.path).damaged\(suffix)")
    }
    let index = try fixture.index()
    #expect(index.damage == nil)
    #expect(try fixture.search("whale") == [])
    try index.put([item("2", "Dolphin")], application: "app", now: 1)
    #expect(try fixture.search("dolphin") == ["Dolphin"])
    fixture.close()
    _ = try fixture.index()
    #expect(try fixture.titles() == ["Dolphin"])
  }
}
