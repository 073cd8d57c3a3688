import Glibc
import Search
import SearchIndex
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

  @Test func readersMissAnIndexThatIsBeingMade() throws {
    let reader = fixture.reader()
    let words = try #require(SearchWords("whale"))
    #expect(throws: IndexError.missing) { try reader.search(words, limit: 1, now: 1) }
    mkdir(fixture.home, 0o700)
    Fixture.write([], to: fixture.path)
    #expect(throws: IndexError.missing) { try reader.search(words, limit: 1, now: 1) }
    try fixture.index().put([item("1", "Whale")], application: "app", now: 1)
    #expect(try reader.search(words, limit: 1, now: 1).count == 1)
  }

  @Test func aFileIsMovedAsideOnce() throws {
    let (index, reader) = (try fixture.index(), fixture.reader())
    let words = try #require(SearchWords("whale"))
    #expect(try reader.search(words, limit: 1, now: 1) == [])
    let file = reader.file
    for _ in 0..<2 { try index.recover(because: "test", file: file) }
    #expect(index.generation == "generation2")
    #expect(try reader.search(words, limit: 1, now: 1) == [])
    #expect(reader.file != file)
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
}
