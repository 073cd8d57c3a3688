// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Search

/// Finds and suggests results among the entries and the current offers, in the order of their relevance.
@Loop
final class ResultFinder {
  private let store: IndexStore
  private let offers: CurrentOffers
  private let describer: ResultDescriber
  /// Whether anything is suggested.
  var suggests = SearchSettings().suggests

  init(_ store: IndexStore, _ offers: CurrentOffers, _ describer: ResultDescriber) {
    (self.store, self.offers, self.describer) = (store, offers, describer)
  }

  func search(
    _ words: String,
    limit: Int?,
    completion: @escaping @Loop @Sendable (Result<[ControlResult], IndexError>) -> Void
  ) {
    guard let wanted = SearchWords(words) else {
      // Punctuation alone is found nowhere.
      if !words.unicodeScalars.allSatisfy(\.properties.isWhitespace) { return completion(.success([])) }
      return suggest(limit: limit, completion: completion)
    }
    let limit = min(limit ?? Limits.usualSearchResults, Limits.searchResults)
    let now = Loop.clock.date
    store.read { reader throws(IndexError) in
      try reader.search(wanted, limit: limit, now: now)
    } completion: { [weak self] result in
      self?.offers.get { offers in
        guard let self else { return }
        completion(result.map { self.ranked($0, offers, wanted, limit: limit, now: now) })
      }
    }
  }

  private func ranked(
    _ found: [FoundEntry],
    _ offers: [ControlOffer],
    _ wanted: SearchWords,
    limit: Int,
    now: Double
  ) -> [ControlResult] {
    let offers = offers.filter { wanted.matches($0.searchedText) }.map { describer.result($0, wanted, now) }
    let entries = found.map(describer.result).filter { entry in !offers.contains { $0.isSame(as: entry) } }
    let ranked = (offers + entries).enumerated().sorted {
      ($1.element.relevance, $0.offset) < ($0.element.relevance, $1.offset)
    }
    return ranked.prefix(limit).map(\.element)
  }

  func suggest(limit: Int?, completion: @escaping @Loop @Sendable (Result<[ControlResult], IndexError>) -> Void) {
    guard suggests else { return completion(.success([])) }
    let limit = min(limit ?? Limits.usualSearchResults, Limits.searchResults)
    let (now, offset) = (Loop.clock.date, UTCOffset.at(Loop.clock.date))
    store.read { reader throws(IndexError) in
      try reader.suggestions(limit: limit, now: now, utcOffset: offset)
    } completion: { [weak self] result in
      guard let self else { return }
      completion(result.map { $0.map(self.describer.result) })
    }
  }
}

extension ControlResult {
  /// Whether this offer is of the same activity as an entry that its machine shares.
  fileprivate func isSame(as entry: ControlResult) -> Bool {
    entry.device != nil && entry.device == device && entry.activityType == activityType && entry.title == title
  }
}
