// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Search

/// Opens the offer or entry that a name stands for, if it is still what the person was shown.
@Loop
final class NamedResults {
  private let store: IndexStore
  private let offers: CurrentOffers
  private let opener: ResultOpener
  /// Whether it is recorded that an entry was opened.
  var keepsUses = SearchSettings().suggests

  init(_ store: IndexStore, _ offers: CurrentOffers, _ opener: ResultOpener) {
    (self.store, self.offers, self.opener) = (store, offers, opener)
  }

  /// - Parameter shown: What the person was shown, unless they only named the result.
  func open(
    _ name: String,
    _ shown: ShownResult?,
    activationToken: String?,
    completion: @escaping @Loop @Sendable (ControlFailure?) -> Void
  ) {
    offers.get { [weak self] offers in
      guard let self else { return }
      if let offer = offers.first(where: { $0.resultName == name }) ?? Self.offer(startingWith: name, in: offers) {
        let current = ShownResult(title: offer.resultTitle, activityType: offer.activityType, webpageURL: nil)
        guard shown?.isSame(as: current) ?? true else { return completion(ControlFailure(.activityChanged)) }
        return self.opener.open(offer, activationToken: activationToken, completion: completion)
      }
      self.openEntry(name, shown, activationToken: activationToken, completion: completion)
    }
  }

  /// A person gives the beginning.
  private static func offer(startingWith name: String, in offers: [ControlOffer]) -> ControlOffer? {
    let matching = offers.filter { $0.resultName.starts(withBytesOf: name) }
    return name.utf8.count >= 4 && matching.count == 1 ? matching.first : nil
  }

  private func openEntry(
    _ name: String,
    _ shown: ShownResult?,
    activationToken: String?,
    completion: @escaping @Loop @Sendable (ControlFailure?) -> Void
  ) {
    guard let reference = reference(name) else { return completion(ControlFailure(.entryNotFound)) }
    let now = Loop.clock.date
    store.read { reader throws(IndexError) in
      try reader.entry(reference, now: now)
    } completion: { [weak self] result in
      guard let self else { return }
      switch result {
      case .failure(let error): completion(SearchFailure.of(error))
      case .success(nil): completion(ControlFailure(.entryNotFound))
      case .success(let stored?):
        guard shown?.isSame(as: ShownResult(stored)) ?? true else {
          return completion(ControlFailure(.activityChanged))
        }
        self.opener.open(
          stored.entry,
          of: stored.application,
          from: stored.origin,
          activationToken: activationToken
        ) { [weak self] failure in
          if failure == nil { self?.used(reference) }
          completion(failure)
        }
      }
    }
  }

  /// A person gives the number only.
  func reference(_ name: String) -> EntryReference? {
    EntryReference(name) ?? EntryReference("\(store.generation).\(name)")
  }

  private func used(_ reference: EntryReference) {
    let (now, keepsUses) = (Loop.clock.date, keepsUses)
    store.write { index throws(IndexError) in try index.recordUse(reference, now: now, keepsUses: keepsUses) }
  }
}
