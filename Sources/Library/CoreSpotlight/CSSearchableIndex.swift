// SPDX-License-Identifier: Apache-2.0

import Activity
import Baton
import EventLoop
import Foundation
import Search
import Synchronization
import VarlinkClient

/// The index that makes your app's items searchable. `baton agent` keeps it for its user.
///
/// You can use it from any thread. Nothing here blocks; completion handlers are called on a background queue. Changes
/// are made in order.
open class CSSearchableIndex: NSObject {
  private static let usual = CSSearchableIndex(name: nil, socket: nil)

  private struct State {
    weak var delegate: (any CSSearchableIndexDelegate)?
    /// The changes since `beginBatch()`. Nil outside of a batch.
    var batch: [IndexChange]?
  }

  private struct Unchecked: @unchecked Sendable { var state = State() }

  private let index: String?
  /// The path of the socket of the user's index; nil for the usual one.
  private let socket: String?
  private let lock = Mutex(Unchecked())

  /// Whether the socket of the user's index exists. The agent that serves it doesn't have to be running yet. You can
  /// also index without it: changes wait for an agent.
  open class func isIndexingAvailable() -> Bool { SearchSocket.exists(nil) }

  /// Returns your app's index.
  open class func `default`() -> CSSearchableIndex { usual }

  init(name: String?, socket: String?) {
    index = name
    self.socket = socket
    super.init()
  }

  /// Creates a named index of your app. Indexes with the same name are the same.
  public convenience init(name: String) { self.init(name: name, socket: nil) }

  /// Creates a named index of your app. The protection class has no effect: only the user can read the file.
  public convenience init(name: String, protectionClass: FileProtectionType?) { self.init(name: name, socket: nil) }

  /// The object that is asked to reindex everything. It is asked as soon as it is set, if the index contains nothing
  /// from your app. It isn't retained.
  open weak var indexDelegate: (any CSSearchableIndexDelegate)? {
    get { withState { $0.delegate } }
    set {
      withState { $0.delegate = newValue }
      if newValue != nil { askWhetherNew() }
    }
  }

  private func withState<Value>(_ body: (inout State) -> Value) -> Value {
    lock.withLock { unchecked in
      nonisolated(unsafe) let value = body(&unchecked.state)
      return value
    }
  }

  // MARK: Items

  /// Adds items, or replaces those with the same identifiers. Items that can't be saved are left out; all others are
  /// added.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - completionHandler: Gets nil when they have been saved, or a ``CSIndexError`` that lists the ones left out. In
  ///     a batch, it is called when the batch has accepted the items.
  @preconcurrency
  open func indexSearchableItems(
    _ items: [CSSearchableItem],
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let (messages, refused) = EntryPacking.messages(items.map(\.entry))
    let changes = messages.map { entries in
      IndexChange.index(
        IndexEntries.Parameters(application: ApplicationIdentifier.current, index: index, entries: entries)
      )
    }
    if let refused, completionHandler == nil { Complaint.write(refused.message) }
    send(changes) { error in completionHandler?(error ?? refused) }
  }

  /// Adds items, or replaces those with the same identifiers.
  ///
  /// - Throws: ``CSIndexError``.
  open func indexSearchableItems(_ items: [CSSearchableItem]) async throws {
    try await finish { indexSearchableItems(items, completionHandler: $0) }
  }

  /// Deletes the items with these identifiers.
  ///
  /// - Parameters:
  ///   - identifiers: The ``CSSearchableItem/uniqueIdentifier`` of each item.
  ///   - completionHandler: Gets nil when they can no longer be found, or a ``CSIndexError``.
  @preconcurrency
  open func deleteSearchableItems(
    withIdentifiers identifiers: [String],
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    delete(identifiers, completionHandler) { $0.identifiers = $1 }
  }

  /// Deletes the items with these identifiers.
  ///
  /// - Throws: ``CSIndexError``.
  open func deleteSearchableItems(withIdentifiers identifiers: [String]) async throws {
    try await finish { deleteSearchableItems(withIdentifiers: identifiers, completionHandler: $0) }
  }

  /// Deletes the items in these domains and their subdomains: `a` includes `a.b`.
  @preconcurrency
  open func deleteSearchableItems(
    withDomainIdentifiers domainIdentifiers: [String],
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    delete(domainIdentifiers, completionHandler) { $0.domainIdentifiers = $1 }
  }

  /// Deletes the items in these domains and their subdomains.
  ///
  /// - Throws: ``CSIndexError``.
  open func deleteSearchableItems(withDomainIdentifiers domainIdentifiers: [String]) async throws {
    try await finish { deleteSearchableItems(withDomainIdentifiers: domainIdentifiers, completionHandler: $0) }
  }

  /// Deletes all items of this index.
  @preconcurrency
  open func deleteAllSearchableItems(completionHandler: (@Sendable ((any Error)?) -> Void)? = nil) {
    var parameters = DeleteEntries.Parameters(application: ApplicationIdentifier.current)
    parameters.index = index
    parameters.allItems = true
    send([.delete(parameters)], completionHandler)
  }

  /// Deletes all items of this index.
  ///
  /// - Throws: ``CSIndexError``.
  open func deleteAllSearchableItems() async throws {
    try await finish { deleteAllSearchableItems(completionHandler: $0) }
  }

  private func delete(
    _ identifiers: [String],
    _ completionHandler: (@Sendable ((any Error)?) -> Void)?,
    _ set: (inout DeleteEntries.Parameters, [String]) -> Void
  ) {
    let changes = EntryPacking.lists(identifiers).map { part in
      var parameters = DeleteEntries.Parameters(application: ApplicationIdentifier.current)
      parameters.index = index
      set(&parameters, part)
      return IndexChange.delete(parameters)
    }
    send(changes, completionHandler)
  }

  // MARK: Batches

  /// Begins a batch: the changes until ``endBatch(withClientState:completionHandler:)`` are made together with the new
  /// client state.
  open func beginBatch() { withState { $0.batch = [] } }

  /// Ends a batch.
  ///
  /// - Parameters:
  ///   - clientState: Your app's record of its progress, at most 250 bytes. If the index fails before it is saved, the
  ///     app gets the previous one, and can repeat everything after it.
  ///   - completionHandler: Gets nil when everything has been saved, or a ``CSIndexError``.
  @preconcurrency
  open func endBatch(
    withClientState clientState: Data,
    completionHandler: (@Sendable ((any Error)?) -> Void)? = nil
  ) {
    let changes = withState { state in
      defer { state.batch = nil }
      return state.batch ?? []
    }
    guard clientState.count <= Limits.clientStateLength else {
      let error = CSIndexError(
        .invalidClientStateError,
        "The client state is \(clientState.count) bytes long, but at most \(Limits.clientStateLength) are allowed."
      )
      return Self.callbacks.async { completionHandler?(error) }
    }
    let state = SetClientState.Parameters(
      application: ApplicationIdentifier.current,
      index: index,
      clientState: Base64.encode(Array(clientState))
    )
    send(changes + [.setClientState(state)], completionHandler)
  }

  /// Ends a batch.
  ///
  /// - Throws: ``CSIndexError``.
  open func endBatch(withClientState clientState: Data) async throws {
    try await finish { endBatch(withClientState: clientState, completionHandler: $0) }
  }

  /// Returns the client state of the last saved batch, if any.
  @preconcurrency
  open func fetchLastClientState(completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void) {
    let request = (index, socket)
    Task { @Loop in
      StateRequest(index: request.0, socket: request.1).begin { result in
        let answer = result.map { $0.clientState.flatMap(Base64.decode).map { Data($0) } }
        Self.callbacks.async {
          switch answer {
          case .success(let state): completionHandler(state, nil)
          case .failure(let error): completionHandler(nil, CSIndexError(error))
          }
        }
      }
    }
  }

  /// Returns the client state of the last saved batch.
  ///
  /// - Throws: ``CSIndexError``.
  open func fetchLastClientState() async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      fetchLastClientState { state, error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume(returning: state ?? Data()) }
      }
    }
  }

  // MARK: Sending

  private static let callbacks = DispatchQueue(label: "io.baton.Search")

  private func send(_ changes: [IndexChange], _ completionHandler: (@Sendable ((any Error)?) -> Void)?) {
    let isBatched = withState { state in
      guard state.batch != nil else { return false }
      state.batch?.append(contentsOf: changes)
      return true
    }
    guard !isBatched, !changes.isEmpty else { return Self.callbacks.async { completionHandler?(nil) } }
    let socket = socket
    Task { @Loop in
      let results = ChangeResults(count: changes.count) { error in
        Self.callbacks.async { completionHandler?(error.map { CSIndexError($0) }) }
      }
      for change in changes { IndexQueue.at(socket).add(change) { results.add($0) } }
    }
  }

  private func finish(_ body: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      body { error in
        if let error { continuation.resume(throwing: error) } else { continuation.resume() }
      }
    }
  }

  private func askWhetherNew() {
    let request = (index, socket)
    Task { @Loop [weak self] in
      StateRequest(index: request.0, socket: request.1).begin { [weak self] result in
        guard case .success(let reply) = result, reply.isNew else { return }
        Self.callbacks.async { [weak self] in self?.askToIndexAll() }
      }
    }
  }

  private func askToIndexAll() {
    guard let delegate = indexDelegate else { return }
    let parameters = SetClientState.Parameters(
      application: ApplicationIdentifier.current,
      index: index,
      clientState: nil
    )
    let socket = socket
    delegate.searchableIndex(
      self,
      reindexAllSearchableItemsWithAcknowledgementHandler: {
        // The index knows this app from now on.
        Task { @Loop in IndexQueue.at(socket).add(.setClientState(parameters)) { _ in } }
      }
    )
  }
}

// The lock makes it safe.
extension CSSearchableIndex: @unchecked Sendable {}
