import Activity
import ControlInterface
import Desktop
import EventLoop
import Glibc
import JSONCoding
import Search
import Systemd
import VarlinkClient
import VarlinkServer

/// What programs and people can do with the index: the entries of this machine and of others, and the current offers of
/// the other machines.
@Loop
final class SearchService {
  let store: IndexStore
  private let opener: ResultOpener
  let installed: InstalledApplications
  private let log: Log
  private(set) var settings = SearchSettings()
  private let offers = CurrentOffers()
  /// The names of the teams with which entries are shared.
  var sharedTeams: [String] = []
  /// Called when entries have changed.
  var onChange: (@Loop () -> Void)?
  private var eraseTimer: EventLoop.Timer?
  private var expiryTimer: EventLoop.Timer?
  private var isStarted = false

  init(_ store: IndexStore, _ opener: ResultOpener, _ installed: InstalledApplications, log: Log) {
    self.store = store
    self.opener = opener
    self.installed = installed
    self.log = log
    eraseTimer = EventLoop.Timer { [weak self] in self?.erase() }
    expiryTimer = EventLoop.Timer { [weak self] in self?.expire() }
  }

  func start() {
    isStarted = true
    expire()
    check()
    // An earlier agent may not have come to it.
    changed()
  }

  func stop() {
    isStarted = false
    eraseTimer?.set(nil)
    expiryTimer?.set(nil)
    offers.stop()
    opener.stop()
  }

  func apply(_ settings: SearchSettings) {
    let before = self.settings
    self.settings = settings
    if before.isEnabled, !settings.isEnabled {
      forgetAll("Search is turned off, so the index was deleted")
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

  /// Checks the index, one part after another, between the calls of others.
  private func check() {
    guard isStarted else { return }
    store.write { index throws(IndexError) in
      try index.checkNext()
    } completion: { [weak self] result in
      if case .success(true) = result { self?.check() }
    }
  }

  private func erase() {
    store.write { index throws(IndexError) in
      try index.eraseReplaced()
    } completion: { [weak self] result in
      guard let self, case .failure(let error) = result else { return }
      // A program that reads the file keeps it from being overwritten. Anything else may last.
      let pause = error == .inUse ? Limits.erasingRetryTime : Limits.replacedTextTime
      self.eraseTimer?.set(Loop.now + pause)
    }
  }

  private func expire() {
    let now = Loop.clock.date
    // A machine without a battery for its clock starts in 1970.
    guard now >= Limits.earliestTime else {
      expiryTimer?.set(Loop.now + Limits.expiryInterval)
      return
    }
    store.write { index throws(IndexError) in
      (count: try index.expire(now: now), next: try index.nextExpiry)
    } completion: { [weak self] result in
      guard let self else { return }
      if case .success((let count, _)) = result, count > 0 { self.changed() }
      self.expireNext((try? result.get())?.next)
    }
  }

  /// Looks for expired entries when the next one expires, and from time to time, because the clock may change.
  private func expireNext(_ date: Double?) {
    let longest = Limits.expiryInterval / .seconds(1)
    let seconds = date.map { min(max($0 - Loop.clock.date, 1), longest) } ?? longest
    let deadline = Loop.now + .seconds(seconds)
    expiryTimer?.set(min(expiryTimer?.deadline ?? deadline, deadline))
  }

  /// Something was replaced or deleted.
  ///
  /// - Parameter time: The time after which it is overwritten.
  func changed(erasingAfter time: Duration = Limits.replacedTextTime) {
    let deadline = Loop.now + time
    eraseTimer?.set(min(eraseTimer?.deadline ?? deadline, deadline))
    onChange?()
  }

  private func deleted(_ result: Result<Int, IndexError>) {
    if case .success = result { changed() } else { changed(erasingAfter: Limits.erasingRetryTime) }
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
      self?.changed()
      if case .success(let next) = result { self?.expireNext(next) }
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
      self?.deleted(result)
      completion(result)
    }
  }

  // MARK: People

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
    let offers = offers.filter { wanted.matches(Self.text(of: $0)) }.map { result($0, wanted, now) }
    let entries = found.map(result).filter { entry in !offers.contains { $0.isSame(as: entry) } }
    let ranked = (offers + entries).enumerated().sorted {
      ($1.element.relevance, $0.offset) < ($0.element.relevance, $1.offset)
    }
    return ranked.prefix(limit).map(\.element)
  }

  func suggest(limit: Int?, completion: @escaping @Loop @Sendable (Result<[ControlResult], IndexError>) -> Void) {
    guard settings.suggests else { return completion(.success([])) }
    let limit = min(limit ?? Limits.usualSearchResults, Limits.searchResults)
    let (now, offset) = (Loop.clock.date, Self.utcOffset(at: Loop.clock.date))
    store.read { reader throws(IndexError) in
      try reader.suggestions(limit: limit, now: now, utcOffset: offset)
    } completion: { [weak self] result in
      guard let self else { return }
      completion(result.map { $0.map(self.result) })
    }
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
      if let offer = offers.first(where: { Self.name(of: $0) == name }) ?? Self.offer(startingWith: name, in: offers) {
        let title = Self.title(of: offer)
        let current = ShownResult(title: title, activityType: offer.activityType, webpageURL: nil)
        guard shown?.isSame(as: current) ?? true else { return completion(ControlFailure(.activityChanged)) }
        return self.opener.open(offer, activationToken: activationToken, completion: completion)
      }
      self.openEntry(name, shown, activationToken: activationToken, completion: completion)
    }
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
  private func reference(_ name: String) -> EntryReference? {
    EntryReference(name) ?? EntryReference("\(store.generation).\(name)")
  }

  private func used(_ reference: EntryReference) {
    let (now, keepsUses) = (Loop.clock.date, settings.suggests)
    store.write { index throws(IndexError) in try index.recordUse(reference, now: now, keepsUses: keepsUses) }
  }

  func forget(
    _ parameters: ForgetEntries.Parameters,
    completion: @escaping @Loop @Sendable (Result<Int, IndexError>) -> Void
  ) {
    var forgotten = ForgottenEntries()
    if let result = parameters.result {
      guard let reference = reference(result) else { return completion(.success(0)) }
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
      self?.deleted(result)
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
              .init(application: name, applicationName: self.name(of: name), entries: entries)
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
