// SPDX-License-Identifier: Apache-2.0

/// An entry that contains the words, with what its place among the results depends on.
package struct Candidate: Equatable, Sendable {
  package let title: String
  package let keywords: String
  package let heat: Heat

  package init(title: String, keywords: String, heat: Heat) {
    self.title = title
    self.keywords = keywords
    self.heat = heat
  }
}

package enum Ranking {
  /// Returns how relevant a candidate is, from 0 to 1. One that has all words in its title comes before one that has
  /// them in its title and its keywords, and that before all others. Among these, whole words count more than
  /// beginnings, and the beginning of the title more than the rest. The other half is how often and how recently it was
  /// used.
  package static func relevance(of candidate: Candidate, to search: SearchWords, now: Double) -> Double {
    let title = Words.words(of: candidate.title)
    let inTitle = search.parts.map { part in quality(of: part, in: title) }
    let uses = candidate.heat.uses(now: now)
    let frequency = uses / (1 + uses)
    if !inTitle.contains(0) {
      let words = inTitle.reduce(0, +) / Double(inTitle.count)
      let isBeginning = title.first.map { first in search.parts[0].matches(first.folded) } ?? false
      return 0.6 + 0.2 * (0.7 * words + (isBeginning ? 0.3 : 0)) + 0.2 * frequency
    }
    let keywords = Words.words(of: candidate.keywords)
    let inNames = zip(search.parts, inTitle).map { part, quality in max(quality, self.quality(of: part, in: keywords)) }
    let words = inNames.reduce(0, +) / Double(inNames.count)
    return (inNames.contains(0) ? 0 : 0.3) + 0.15 * words + 0.15 * frequency
  }

  /// 1 for the whole word, less for the beginning of one, and 0 if it is not there.
  private static func quality(of part: SearchWords.Part, in words: [Word]) -> Double {
    var best = 0.0
    for word in words where part.matches(word.folded) {
      if word.folded.count == part.folded.count { return 1 }
      best = max(best, 0.5 + 0.4 * Double(part.folded.count) / Double(word.folded.count))
    }
    return best
  }
}
