// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import CSQLite
import Glibc
import Search
import SeededGenerator
import Testing

/// Whatever is in the place of the index: it is used, or moved aside, and then there is one that works.
struct DamageTests {
  private let fixture = Fixture()

  init() {
    fixture.limits.entriesPerShard = 16
    fixture.limits.shardLength = 10_000
  }

  /// Fills an index, and returns its file.
  private func fill() throws -> [UInt8] {
    let index = try fixture.index()
    for start in [0, 20] {
      let entries = try (start..<start + 20).map { number in
        try activity("\(number)", "Whale \(number)") {
          $0.textContent = String(repeating: "word\(number) ", count: number * 5)
          $0.isEligibleForPrediction = true
          $0.isEligibleForPublicIndexing = true
          $0.activity?.webpageURL = "https://example.org/\(number)"
        }
      }
      try index.put(entries, application: "app", now: 1000)
    }
    fixture.close()
    return Fixture.bytes(of: fixture.path)
  }

  /// Does everything once. If a reader finds that the index is damaged, the agent moves it aside.
  private func useIndex() throws {
    let index = try fixture.index()
    let reader = fixture.reader()
    func reading(_ body: () throws(IndexError) -> Void) throws {
      do throws(IndexError) {
        try body()
      } catch {
        guard case .damaged(let reason) = error else { throw error }
        try index.recover(because: reason)
        try body()
      }
    }
    let words = try #require(SearchWords("wha"))
    try reading { () throws(IndexError) in _ = try reader.search(words, limit: 50, now: 2000) }
    try reading { () throws(IndexError) in _ = try reader.suggestions(limit: 50, now: 2000, utcOffset: 0) }
    try reading { () throws(IndexError) in _ = try reader.status() }
    try index.put([item("new", "New whale")], application: "app", now: 2000)
    try index.delete(.activities(["3"]), application: "app")
    _ = try index.page(after: LogPosition(), for: "t")
    try index.expire(now: 2000)
    try index.eraseReplaced()
    // Damage may hide an entry without being noticed.
    while try index.checkNext() {}
    try index.put([item("newer", "Newest whale")], application: "app", now: 2000)
    #expect(try fixture.search("newest") == ["Newest whale"])
    fixture.close()
  }

  private func replaceIndex(with bytes: [UInt8]) {
    Fixture.remove(fixture.home)
    mkdir(fixture.home, 0o700)
    Fixture.write(bytes, to: fixture.path)
  }

  @Test(arguments: 0..<1) func survivesFlippedBytesInEachPage(seed: UInt64) throws {
    let original = try fill()
    var random = SeededGenerator(seed: seed)
    for page in 0..<original.count / 4096 {
      var bytes = original
      for _ in 0..<8 {
        bytes[page * 4096 + Int.random(in: 0..<4096, using: &random)] = .random(in: 0...255, using: &random)
      }
      // The beginning of a page says what is in it.
      if Bool.random(using: &random) { bytes[page * 4096 + Int.random(in: 0..<12, using: &random)] ^= 0xFF }
      replaceIndex(with: bytes)
      try useIndex()
    }
  }

  @Test(arguments: 0..<3) func survivesFlippedBytesInAllPages(seed: UInt64) throws {
    let original = try fill()
    var random = SeededGenerator(seed: seed)
    for count in [1, 4, 64] {
      for _ in 0..<4 {
        var bytes = original
        for page in 0..<original.count / 4096 {
          for _ in 0..<count {
            bytes[page * 4096 + Int.random(in: 0..<4096, using: &random)] ^= .random(in: 1...255, using: &random)
          }
        }
        replaceIndex(with: bytes)
        try useIndex()
      }
    }
  }

  @Test func survivesEachLength() throws {
    let original = try fill()
    var random = SeededGenerator(seed: 3)
    for length in [0, 1, 15, 16, 99, 100, 511, 4095, 4096, 8192, original.count - 1]
      + (0..<10).map({ _ in Int.random(in: 0..<original.count, using: &random) })
    {
      replaceIndex(with: Array(original.prefix(length)))
      try useIndex()
    }
  }

  @Test func survivesAWrongLog() throws {
    let original = try fill()
    var random = SeededGenerator(seed: 4)
    for length in [1, 32, 5000, 100_000] {
      replaceIndex(with: original)
      Fixture.write((0..<length).map { _ in .random(in: 0...255, using: &random) }, to: "\(fixture.path)-wal")
      Fixture.write((0..<32768).map { _ in .random(in: 0...255, using: &random) }, to: "\(fixture.path)-shm")
      try useIndex()
      #expect(try fixture.search("whale", limit: 100).contains("Whale 1"))
    }
  }

  @Test(arguments: 0..<3) func survivesDamageWhileItIsOpen(seed: UInt64) throws {
    let original = try fill()
    var random = SeededGenerator(seed: seed)
    for _ in 0..<6 {
      replaceIndex(with: original)
      _ = try fixture.index()
      _ = try fixture.search("whale")
      var bytes = original
      for _ in 0..<2000 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      }
      let file = open(fixture.path, O_WRONLY)
      _ = pwrite(file, bytes, bytes.count, 0)
      close(file)
      try useIndex()
    }
  }

  /// The log and its index are read without checks.
  @Test(arguments: ["-wal", "-shm"], 0..<2) func survivesDamageOfTheLogWhileItIsOpen(
    suffix: String,
    seed: UInt64
  ) throws {
    let original = try fill()
    var random = SeededGenerator(seed: seed)
    for count in [1, 10, 100, 1000, 10_000] {
      replaceIndex(with: original)
      let index = try fixture.index()
      for number in 0..<10 { try index.put([item("new \(number)", "Whale")], application: "app", now: 1000) }
      _ = try fixture.search("whale")
      let length = Fixture.bytes(of: fixture.path + suffix).count
      let file = open(fixture.path + suffix, O_WRONLY)
      for _ in 0..<count {
        var byte = UInt8.random(in: 0...255, using: &random)
        _ = pwrite(file, &byte, 1, off_t(Int.random(in: 0..<length, using: &random)))
      }
      close(file)
      try useIndex()
    }
  }

  @Test(arguments: 0..<2) func survivesADamagedLog(seed: UInt64) throws {
    let original = try fill()
    var random = SeededGenerator(seed: seed)
    replaceIndex(with: original)
    let index = try fixture.index()
    for number in 0..<10 { try index.put([item("new \(number)", "Whale")], application: "app", now: 1000) }
    try index.delete(.activities(["7"]), application: "app")
    for number in 10..<20 { try index.put([item("new \(number)", "Whale")], application: "app", now: 1000) }
    let (database, log) = (Fixture.bytes(of: fixture.path), Fixture.bytes(of: "\(fixture.path)-wal"))
    fixture.close()
    for count in [0, 1, 10, 1000] {
      for length in [log.count, Int.random(in: 0..<log.count, using: &random)] {
        replaceIndex(with: database)
        var bytes = log.prefix(length)
        for _ in 0..<(bytes.isEmpty ? 0 : count) {
          bytes[Int.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
        }
        Fixture.write(Array(bytes), to: "\(fixture.path)-wal")
        try useIndex()
      }
    }
  }

  @Test(arguments: ["", "-wal", "-shm"]) func otherThingsAreMovedAside(suffix: String) throws {
    _ = try fill()
    let path = fixture.path + suffix
    let target = "\(fixture.directory)/target"
    for kind in 0..<3 {
      Fixture.remove(path)
      Fixture.write(Array("precious".utf8), to: target)
      switch kind {
      case 0: mkdir(path, 0o700)
      case 1: symlink(target, path)
      default: mkfifo(path, 0o600)
      }
      try useIndex()
      #expect(Fixture.bytes(of: target) == Array("precious".utf8))
      try #require(Fixture.names(in: fixture.home).contains("search.db.damaged\(suffix)"))
    }
  }

  @Test func doesNotFollowALinkToADirectory() throws {
    mkdir("\(fixture.directory)/elsewhere", 0o755)
    symlink("\(fixture.directory)/elsewhere", fixture.home)
    #expect(throws: IndexError.self) { try fixture.index() }
    #expect(Fixture.names(in: "\(fixture.directory)/elsewhere") == [])
  }

  @Test func movesANewerVersionAside() throws {
    _ = try fill()
    var database: OpaquePointer?
    #expect(sqlite3_open(fixture.path, &database) == SQLITE_OK)
    #expect(sqlite3_exec(database, "PRAGMA user_version=99", nil, nil, nil) == SQLITE_OK)
    sqlite3_close(database)
    let index = try fixture.index()
    #expect(index.damage?.contains("99") == true)
    #expect(try fixture.search("whale") == [])
    #expect(Fixture.bytes(of: "\(fixture.path).damaged").contains("Whale 1"))
    // Forgetting everything includes it.
    var all = ForgottenEntries()
    all.all = true
    try index.forget(all)
    #expect(index.damagedPath == nil)
    #expect(!fixture.bytes().contains("Whale"))
  }
}
