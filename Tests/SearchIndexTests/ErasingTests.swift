// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Glibc
import JSONCoding
import Search
import SeededGenerator
import TestSupport
import Testing

@Suite(.isolated) struct ErasingTests {
  private let fixture = Fixture()

  /// An entry with a secret in each of its parts.
  private func secret(_ number: Int, length: Int = 0) throws -> SavedEntry {
    let name = "canary\(number)x"
    return try activity("identifier-\(name)", "Title \(name)") {
      $0.keywords = ["keyword-\(name)"]
      $0.contentDescription = "Description \(name)"
      $0.textContent = "Text " + String(repeating: name + " ", count: 1 + length / 10)
      $0.thumbnailData = "thumbnail\(name)" + String(repeating: "A", count: length)
      $0.attributes = .object(["comment": .string("Comment \(name)")])
      $0.activity?.userInfo = try! UserInfo(json: .object(["key": .string("Value \(name)")]))
    }
  }

  @Test func nothingIsLeftOfWhatWasDeleted() throws {
    let index = try fixture.index()
    try index.put([secret(1), secret(2)], application: "app", now: 1000)
    #expect(fixture.bytes().contains("canary1x"))
    #expect(try index.delete(.activities(["identifier-canary1x"]), application: "app") == 1)
    #expect(!fixture.bytes().contains("canary1"))
    #expect(fixture.bytes().contains("canary2x"))
  }

  @Test func nothingIsLeftOfWhatWasReplaced() throws {
    let index = try fixture.index()
    var entry = try secret(1)
    try index.put([entry], application: "app", now: 1000)
    entry.title = "Other"
    entry.keywords = []
    entry.contentDescription = nil
    entry.textContent = nil
    try index.put([entry], application: "app", now: 1001)
    #expect(try index.hasReplacedText)
    try index.eraseReplaced()
    #expect(try !index.hasReplacedText)
    #expect(!fixture.bytes().contains("Title canary1"))
    #expect(!fixture.bytes().contains("Description canary1"))
    #expect(fixture.bytes().contains("Comment canary1"))
  }

  /// SQLite leaves copies of rows in unused parts of pages, in the file and in memory. With these seeds, it does.
  @Test(arguments: [6, 19, 29]) func nothingComesBackWithTheNextChange(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    func secret() -> String {
      String((0..<14).map { _ in "bcdfghjklmnpqrstvwxz".randomElement(using: &random) ?? "b" })
    }
    let index = try fixture.index()
    let padding = String(repeating: "-", count: 100)
    let all = (0..<400).map { _ in secret() }
    for part in [all.prefix(150), all.dropFirst(150)] {
      try index.put(part.map { item($0 + padding, "Title") }, application: "app", now: 1000)
    }
    let gone = Set(all.prefix(250))
    var kept = Set(all.dropFirst(250))
    try index.delete(.items(all.prefix(250).map { $0 + padding }), application: "app")
    #expect(Secrets.find(gone, except: kept, in: fixture.bytes()) == [])
    for _ in 0..<10 {
      let more = secret()
      kept.insert(more)
      try index.put([item(more + padding, "Title")], application: "app", now: 1001)
      #expect(Secrets.find(gone, except: kept, in: fixture.bytes()) == [])
    }
  }

  /// What an app deletes may have expired a moment ago, or made room for something else.
  @Test func whatIsAlreadyGoneIsOverwrittenIfItIsDeleted() throws {
    let index = try fixture.index()
    var entry = try secret(1)
    entry.expirationDate = 2000
    try index.put([entry, secret(2)], application: "app", now: 1000)
    #expect(try index.expire(now: 2000) == 1)
    #expect(try index.delete(.activities([entry.identifier]), application: "app") == 0)
    #expect(!fixture.bytes().contains("canary1"))
  }

  @Test func replacedTextIsOverwrittenWhenTheIndexIsClosedOrOpened() throws {
    var index = try fixture.index()
    try index.put([secret(1), secret(2)], application: "app", now: 1000)
    try index.put([activity("identifier-canary1x", "Other")], application: "app", now: 1001)
    let copies = Fixture.names(in: fixture.home).map { ($0, Fixture.bytes(of: "\(fixture.home)/\($0)")) }
    #expect(fixture.bytes().contains("Title canary1"))
    fixture.close()
    #expect(!fixture.bytes().contains("Title canary1"))
    for (name, bytes) in copies { Fixture.write(bytes, to: "\(fixture.home)/\(name)") }
    #expect(fixture.bytes().contains("Title canary1"))
    index = try fixture.index()
    #expect(try !index.hasReplacedText)
    #expect(!fixture.bytes().contains("Title canary1"))
    #expect(fixture.bytes().contains("Title canary2"))
  }

  @Test func namesOfAppsAreForgottenWithTheirEntries() throws {
    let index = try fixture.index()
    try index.put([secret(1), item("1", "Whale")], application: "org.example.first", index: "Letters", now: 1000)
    try index.put([secret(2), item("2", "Dolphin")], application: "org.example.second", now: 1000)
    try index.setClientState([1, 2], application: "org.example.first", index: "Letters")
    var forgotten = ForgottenEntries()
    forgotten.application = "org.example.first"
    #expect(try index.forget(forgotten) == 2)
    #expect(!fixture.bytes().contains("org.example.first"))
    #expect(!fixture.bytes().contains("Letters"))
    #expect(fixture.bytes().contains("org.example.second"))
    // The app is not asked to index everything again, because its user does not want that.
    #expect(try index.clientState(application: "org.example.first", index: "Letters").isNew == false)
    #expect(try index.clientState(application: "org.example.first", index: "Other").isNew)
    forgotten = ForgottenEntries()
    forgotten.all = true
    #expect(try index.forget(forgotten) == 2)
    #expect(!fixture.bytes().contains("org.example"))
    #expect(try index.clientState(application: "org.example.second").isNew == false)
  }

  @Test func aDamagedCopyIsForgottenToo() throws {
    for kind in 0..<3 {
      try fixture.index().put([secret(1), item("1", "Whale")], application: "app", now: 1000)
      try fixture.index().recover(because: "test")
      let index = try fixture.index()
      #expect(index.damagedPath != nil)
      try index.put([item("1", "Whale")], application: "app", now: 1000)
      var forgotten = ForgottenEntries()
      switch kind {
      case 0: forgotten.application = "app"
      case 1: forgotten.since = 0
      default: forgotten.entry = EntryReference(generation: index.generation, id: 1)
      }
      #expect(try index.forget(forgotten) == 1)
      #expect(index.damagedPath == nil)
      #expect(!fixture.bytes().contains("canary"))
    }
  }

  /// To Swift, these texts are equal.
  @Test func identifiersAreBytes() throws {
    let index = try fixture.index()
    let identifiers = ["caf\u{E9}", "cafe\u{301}"]
    try index.put(identifiers.map { item($0, "Whale") }, application: "app", now: 1000)
    #expect(try index.delete(.items(identifiers), application: "app") == 2)
    try index.put(try identifiers.map { try activity($0, "Whale") }, application: "app", now: 1000)
    #expect(try index.delete(.activities(identifiers), application: "app") == 2)
    try index.put(identifiers.map { name in item(name) { $0.domainIdentifier = name } }, application: "app", now: 1000)
    #expect(try index.delete(.domains(identifiers), application: "app") == 2)
    try index.put([activity(identifiers[0], "Whale")], application: "app", now: 1000)
    try index.put([activity(identifiers[1], "Dolphin")], application: "app", replaces: identifiers, now: 1000)
    #expect(try fixture.titles() == ["Dolphin"])
  }

  @Test func aDamagedCopyExpires() throws {
    let index = try fixture.index()
    try index.put([secret(1)], application: "app", now: 1000)
    try index.recover(because: "test")
    let now = Double(time(nil))
    try index.expire(now: now + Limits.entryAge - 100)
    #expect(fixture.bytes().contains("canary"))
    try index.expire(now: now + Limits.entryAge + 100)
    #expect(index.damagedPath == nil)
    #expect(!fixture.bytes().contains("canary"))
  }
}
