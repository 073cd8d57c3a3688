// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Search
import Systemd

/// What programs and people can do with the index. Its parts find results, open them, and keep the index in order.
@Loop
final class SearchService {
  let store: IndexStore
  let upkeep: IndexUpkeep
  let finder: ResultFinder
  let names: NamedResults
  let describer: ResultDescriber
  private let offers = CurrentOffers()
  private let opener: ResultOpener
  private let installed: InstalledApplications
  private let log: Log
  private var settings = SearchSettings()
  /// The names of the teams with which entries are shared.
  var sharedTeams: [String] = []

  init(_ store: IndexStore, _ opener: ResultOpener, _ installed: InstalledApplications, log: Log) {
    (self.store, self.opener, self.installed, self.log) = (store, opener, installed, log)
    upkeep = IndexUpkeep(store)
    describer = ResultDescriber(installed)
    finder = ResultFinder(store, offers, describer)
    names = NamedResults(store, offers, opener)
  }

  func start() { upkeep.start() }

  func stop() {
    upkeep.stop()
    offers.stop()
    opener.stop()
  }

  func apply(_ settings: SearchSettings) {
    let before = self.settings
    self.settings = settings
    (finder.suggests, names.keepsUses) = (settings.suggests, settings.suggests)
    if before.isEnabled, !settings.isEnabled {
      forgetAll("Deleted the search index, because search is turned off")
    } else if before.suggests, !settings.suggests {
      store.write { index throws(IndexError) in try index.wipeUses() }
    }
  }

  func offersChanged(_ offers: [ControlOffer]) { self.offers.change(to: offers) }

  private func forgetAll(_ message: String) {
    store.write { index throws(IndexError) in
      // Other machines keep what is theirs.
      let foreign = try index.deleteForeign { _ in false }
      var all = ForgottenEntries()
      all.all = true
      return try index.forget(all) + foreign
    } completion: { [log] result in
      if case .success(let count) = result, count > 0 { log.notice(message, ["entries": "\(count)"]) }
    }
  }

  // MARK: Apps

  func put(
    _ parameters: IndexEntries.Parameters,
    completion: @escaping @Loop @Sendable (Result<Void, IndexError>) -> Void
  ) {
    // An app cannot do anything about it, and must not fail because of it.
    guard settings.isEnabled else { return completion(.success(())) }
    let (now, keepsUses) = (Loop.clock.date, settings.suggests)
    store.write { index throws(IndexError) in
      try index.put(
        parameters.entries,
        application: parameters.application,
        index: parameters.index,
        replaces: parameters.replaces ?? [],
        now: now,
        keepsUses: keepsUses
      )
      return try index.nextExpiry
    } completion: { [weak self] result in
      self?.upkeep.changed()
      if case .success(let next) = result { self?.upkeep.expireNext(next) }
      completion(result.map { _ in })
    }
  }

  func delete(
    _ selection: Selection,
    _ parameters: DeleteEntries.Parameters,
    completion: @escaping @Loop @Sendable (Result<Int, IndexError>) -> Void
  ) {
    store.write { index throws(IndexError) in
      try index.delete(selection, application: parameters.application, index: parameters.index)
    } completion: { [weak self] result in
      self?.upkeep.deleted(result)
      completion(result)
    }
  }

  // MARK: People

  func forget(
    _ parameters: ForgetEntries.Parameters,
    completion: @escaping @Loop @Sendable (Result<Int, IndexError>) -> Void
  ) {
    var forgotten = ForgottenEntries()
    if let result = parameters.result {
      guard let reference = names.reference(result) else { return completion(.success(0)) }
      forgotten.entry = reference
    }
    forgotten.application = parameters.application.map { application in
      installed.catalog.applications.first { $0.name == application }?.id ?? application
    }
    forgotten.since = parameters.since
    forgotten.until = parameters.until
    forgotten.all = parameters.all ?? false
    store.write { [forgotten] index throws(IndexError) in
      try index.forget(forgotten)
    } completion: { [weak self] result in
      self?.upkeep.deleted(result)
      completion(result)
    }
  }

  func status(_ completion: @escaping @Loop @Sendable (Result<GetSearchStatus.Reply, IndexError>) -> Void) {
    store.read { reader throws(IndexError) in
      try reader.status()
    } completion: { [weak self] result in
      guard let self else { return }
      completion(
        result.map { status in
          GetSearchStatus.Reply(
            entries: status.entries,
            foreign: status.foreign,
            shared: self.sharedTeams.isEmpty ? 0 : status.shared,
            applications: status.applications.map { name, entries in
              .init(application: name, applicationName: self.describer.name(of: name), entries: entries)
            },
            size: status.size,
            teams: self.sharedTeams,
            suggests: self.settings.suggests,
            damaged: status.damagedPath
          )
        }
      )
    }
  }
}
