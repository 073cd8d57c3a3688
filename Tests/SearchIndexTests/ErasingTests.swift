import Activity
import JSONCoding
import Search
import SearchIndex
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

  /// SQLite leaves copies of rows in unused parts of pages, about one in a hundred.
  @Test(arguments: 0..<4) func nothingIsLeftAmongMany(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    fixture.limits.entriesPerShard = 50
    let index = try fixture.index()
    var live: Set<Int> = []
    var next = 0
    for _ in 0..<60 {
      let entries = try (0..<Int.random(in: 1...6, using: &random)).map { _ in
        next += 1
        live.insert(next)
        return try secret(next, length: Int.random(in: 0...[10, 300, 900, 6000][seed], using: &random))
      }
      try index.put(entries.shuffled(using: &random), application: "app", now: Double(next))
      if Bool.random(using: &random), let gone = live.randomElement(using: &random) {
        live.remove(gone)
        try index.delete(.activities(["identifier-canary\(gone)x"]), application: "app")
      }
    }
    for gone in live.shuffled(using: &random).prefix(live.count / 2) {
      live.remove(gone)
      try index.delete(.activities(["identifier-canary\(gone)x"]), application: "app")
    }
    let bytes = fixture.bytes()
    for number in 1...next { #expect(bytes.contains("canary\(number)x") == live.contains(number), "\(number)") }
  }
}
