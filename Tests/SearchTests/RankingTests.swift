// SPDX-License-Identifier: Apache-2.0

import Activity
import Search
import Testing

struct RankingTests {
  private let now = 1_700_000_000.0
  private let day = 86_400.0

  private func relevance(_ title: String, _ keywords: String = "", uses: Int = 1, daysAgo: Double = 0) throws -> Double
  {
    var heat = Heat(usedAt: now - daysAgo * day)
    for _ in 1..<max(uses, 1) { heat = heat.adding(useAt: now - daysAgo * day) }
    let candidate = Candidate(title: title, keywords: keywords, heat: heat)
    return Ranking.relevance(of: candidate, to: try #require(SearchWords("moby whale")), now: now)
  }

  @Test func aTitleComesBeforeEverythingElse() throws {
    let old = try relevance("Whales of Moby", uses: 1, daysAgo: 400)
    let often = try relevance("Moby", "whale", uses: 1000)
    let mentioned = try relevance("Text", uses: 1000)
    #expect(old > often)
    #expect(try relevance("Moby", "whale", daysAgo: 400) > mentioned)
  }

  @Test func wholeWordsAndBeginningsComeFirst() throws {
    #expect(try relevance("Moby whale") > relevance("Moby whales"))
    #expect(try relevance("Moby whale") > relevance("The moby whale"))
  }

  @Test func frequencyAndRecencyDecideAmongEquals() throws {
    #expect(try relevance("Moby whale", uses: 5) > relevance("Moby whale"))
    #expect(try relevance("Moby whale", daysAgo: 1) > relevance("Moby whale", daysAgo: 8))
    #expect(try relevance("Moby whale", uses: 4, daysAgo: 7) > relevance("Moby whale"))
  }

  @Test func relevanceIsAShare() throws {
    for uses in [1, 10, 100_000] {
      for daysAgo in [0.0, 1, 10_000, -10_000] {
        #expect(try (0...1).contains(relevance("Moby whale", uses: min(uses, 500), daysAgo: daysAgo)))
      }
    }
  }

  @Test func aUseCountsHalfAfterAWeek() {
    let heat = Heat(usedAt: now)
    #expect(abs(heat.uses(now: now) - 1) < 0.0001)
    #expect(abs(heat.uses(now: now + 7 * day) - 0.5) < 0.0001)
    var many = heat
    for _ in 0..<31 { many = many.adding(useAt: now) }
    #expect(abs(many.uses(now: now) - 32) < 0.01)
  }

  @Test func suggestionsDependOnTheTimeOfDay() {
    let morning = UseHistory(times: (1...5).map { now - Double($0) * day })
    let evening = UseHistory(times: (1...5).map { now - Double($0) * day - 12 * 3600 })
    #expect(morning.likelihood(now: now, utcOffset: 0) > 2 * evening.likelihood(now: now, utcOffset: 0))
    // The offset shifts both.
    #expect(morning.likelihood(now: now, utcOffset: 7200) == morning.likelihood(now: now, utcOffset: -7200))
    let midnight = 1_700_006_400.0
    let before = UseHistory(times: [midnight - 600])
    #expect(before.likelihood(now: midnight + 600, utcOffset: 0) > 2.8)
  }

  @Test func keepsTheLastTimesOnly() {
    var history = UseHistory()
    for time in 0..<100 { history.add(Double(time)) }
    #expect(history.times == (68..<100).map(Double.init))
    #expect(UseHistory(times: [.nan, .infinity, 1]).times == [1])
  }

  @Test func snippetsShowTheWords() throws {
    let search = try #require(SearchWords("whale"))
    let long = String(repeating: "É word ", count: 100) + "the Whale\n" + String(repeating: "É word ", count: 100)
    let snippet = try #require(Snippet(of: long, for: search))
    #expect(snippet.text.utf8.count <= Snippet.maximumLength + 6)
    #expect(snippet.text.hasPrefix("…") && snippet.text.hasSuffix("…"))
    #expect(snippet.matches.map { String(decoding: Array(snippet.text.utf8)[$0], as: UTF8.self) } == ["Whale"])
    #expect(!snippet.text.contains("\n"))
    #expect(Snippet(of: "nothing", for: search) == nil)
    #expect(Snippet(of: "whale", for: search)?.text == "whale")
    let marks = String(repeating: "é", count: 300) + " whale " + String(repeating: "鯨", count: 300)
    #expect(try #require(Snippet(of: marks, for: search)).matches.count == 1)
  }
}
