import Activity
import JSONCoding
import Search
import Testing
import Varlink

@Suite struct SearchInterfaceTests {
  static var methods: [any Varlink.Method.Type] {
    [
      IndexEntries.self, DeleteEntries.self, GetClientState.self, SetClientState.self, QueryItems.self,
      SearchEntries.self, SuggestEntries.self, OpenResult.self, ForgetEntries.self, GetSearchStatus.self,
    ]
  }

  private var text: String { InterfaceDescription.search.text }

  @Test func methodsAreThoseOfTheTextInItsOrder() {
    let names = text.split(separator: "\n").filter { $0.hasPrefix("method ") }.map {
      "io.baton.Search." + $0.dropFirst(7).prefix { $0 != "(" }
    }
    #expect(names == Self.methods.map { $0.name })
  }

  @Test func reasonsAreKnownOnes() throws {
    let list = try #require(text.components(after: "type Reason ("))
    let names = list.split(separator: "\n").filter { !$0.contains("#") }.joined().split(separator: ",").map {
      String($0.filter { !$0.isWhitespace })
    }
    #expect(names.contains("entryNotFound") && names.allSatisfy { Reason(rawValue: $0) != nil })
  }

  /// Checks that a value has exactly the members that the text gives its type, and survives its JSON.
  private func check<S: Structure>(_ value: S, _ head: String) throws {
    let list = try #require(text.components(after: head), "\(head) is not in the text")
    let lines = list.split(separator: "\n").filter { line in !line.contains("#") }
    let members = lines.joined(separator: ",").split(separator: ",").compactMap { member -> String? in
      guard member.contains(":") else { return nil }
      return String(member.prefix { $0 != ":" }.filter { $0 != " " })
    }
    #expect(Set(value.members.keys) == Set(members))
    #expect(S(json: value.json) == value)
  }

  @Test func entriesHaveTheMembersOfTheText() throws {
    var entry = SavedEntry(identifier: "chapter-1")
    entry.domainIdentifier = "books.moby"
    entry.relatedIdentifier = "book-7"
    entry.isWeaklyRelated = true
    entry.title = "Loomings"
    entry.contentDescription = "Call me Ishmael"
    entry.keywords = ["whale"]
    entry.textContent = "Some years ago"
    entry.attributes = ["rating": .integer(5)]
    entry.thumbnailData = "AAAA"
    entry.activity = try ActivityRecord(id: .random(), activityType: "org.example.reading")
    entry.expirationDate = 1_800_000_000
    entry.isEligibleForSearch = true
    entry.isEligibleForPublicIndexing = true
    entry.isEligibleForPrediction = true
    try check(entry, "type Entry (")
  }

  @Test func resultsHaveTheMembersOfTheText() throws {
    var result = ControlResult(id: "7", kind: .offer, title: "Loomings", relevance: 0.5)
    result.application = "org.example.Reader"
    result.applicationName = "Reader"
    result.activityType = "org.example.reading"
    result.snippet = "Call me"
    result.titleMatches = [0, 8]
    result.snippetMatches = [0, 4]
    result.webpageURL = "https://example.org"
    result.device = "laptop"
    result.lastUsed = 1_800_000_000
    try check(result, "type Result (")
  }

  @Test func callsHaveTheMembersOfTheText() throws {
    let entry = SavedEntry(identifier: "chapter-1")
    try check(IndexEntries.Parameters(application: "a", index: "i", entries: [entry], replaces: ["x"]), "method Index(")
    var delete = DeleteEntries.Parameters(application: "a")
    delete.index = "i"
    delete.identifiers = ["x"]
    delete.domainIdentifiers = ["x"]
    delete.persistentIdentifiers = ["x"]
    delete.allItems = true
    delete.allActivities = true
    try check(delete, "method Delete(")
    try check(ApplicationIndex(application: "a", index: "i"), "method GetClientState(")
    try check(SetClientState.Parameters(application: "a", index: "i", clientState: "AA=="), "method SetClientState(")
    try check(QueryItems.Parameters(application: "a", index: "i", expression: "title == \"x\""), "method Query(")
    try check(SearchEntries.Parameters(words: "whale", limit: 7), "method Search(")
    try check(SuggestEntries.Parameters(limit: 7), "method Suggest(")
    let shown = ShownResult(title: "Whales", activityType: "a.b", webpageURL: "https://example.org/")
    try check(OpenResult.Parameters(result: "7", activationToken: "t", shown: shown), "method Open(")
    var forget = ForgetEntries.Parameters()
    forget.result = "7"
    forget.application = "a"
    forget.since = 1
    forget.until = 2
    forget.all = true
    try check(forget, "method Forget(")
  }

  @Test func oneEntryThatCannotBeSavedKeepsNoOtherOut() throws {
    let long = String(repeating: "x", count: 3000)
    let id = "7d1c7d9a-7a0d-4d0c-9b0a-6d8c1c1f4f6e" as JSON
    let entries: [JSON] = [
      ["identifier": "a", "title": "Whales"], ["identifier": ""], ["identifier": .string(long)],
      ["identifier": "b", "title": 5], 7, ["identifier": "c", "activity": ["id": id, "activityType": "no type"]],
      ["identifier": "d", "title": "one\ntwo", "activity": ["id": id, "activityType": "a.b", "title": "one\ntwo"]],
      ["identifier": "e", "activity": ["id": id, "activityType": "a.b", "webpageURL": .string("https://a/\(long)")]],
      ["identifier": "f", "activity": ["id": id, "activityType": "a.b", "webpageURL": "javascript:alert(1)"]],
    ]
    let parameters = try IndexEntries.Parameters(members: ["application": "a", "entries": .array(entries)])
    #expect(parameters.entries.map(\.identifier) == ["a", "d", "e"])
    #expect(parameters.entries[1].title == "one two" && parameters.entries[1].activity?.title == "one two")
    #expect(parameters.entries[2].activity?.webpageURL == nil)
    let omissions = parameters.given.omissions
    #expect(omissions.map(\.entry) == [1, 2, 3, 4, 5, 7, 8])
    #expect(omissions.filter(\.isSaved).map(\.member) == ["activity.webpageURL"])
    #expect(omissions[0].member == "identifier" && omissions[2].member == "title" && omissions[4].member == "activity")
    #expect(parameters.given.count == entries.count)
    #expect(parameters.given.limit == EntryLimit(parameter: "identifier", limit: Limits.entryIdentifierLength))
    #expect(IndexEntries.Parameters(json: ["application": "a", "entries": 7]) == nil)
  }

  @Test func repliesSurviveTheirJSON() throws {
    let omission = EntryOmission(entry: 7, member: "title", isSaved: false)
    try check(IndexEntries.Reply(omitted: [omission]), "replaces: ?[]string\n) -> (")
    try check(omission, "type Omission (")
    try check(Deleted(deleted: 7), "allActivities: ?bool\n) -> (")
    try check(
      GetClientState.Reply(clientState: "AA==", isNew: true),
      "GetClientState(application: string, index: ?string) -> ("
    )
    let status = GetSearchStatus.Reply(
      entries: 3,
      foreign: 1,
      shared: 1,
      applications: [.init(application: "a", applicationName: "A", entries: 3)],
      size: 4096,
      teams: ["K7Q2M9XW4T"],
      suggests: true,
      damaged: "/x"
    )
    try check(status, "method GetStatus() -> (")
    try check(
      ApplicationStatus(application: "a", applicationName: "A", entries: 3),
      "type ApplicationStatus ("
    )
  }
}

extension String {
  /// What is between `head` and the end of its list.
  fileprivate func components(after head: String) -> Substring? {
    guard let start = ranges(of: head).first?.upperBound else { return nil }
    // A list of several lines may contain other lists.
    let end = self[start...].hasPrefix("\n") ? "\n)" : ")"
    return self[start...].ranges(of: end).first.map { self[start..<$0.lowerBound] }
  }
}
