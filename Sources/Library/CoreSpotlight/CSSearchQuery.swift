// SPDX-License-Identifier: Apache-2.0

import Baton
import EventLoop
import Foundation
import Search
import Synchronization
import VarlinkClient

/// Options of a ``CSSearchQuery`` in addition to its expression.
open class CSSearchQueryContext: NSObject {
  /// The attributes to fetch. Here, all of them are fetched.
  open var fetchAttributes: [String] = []
  /// Additional expressions that the results must match.
  open var filterQueries: [String] = []
  /// The language of the keyboard. It has no effect.
  open var keyboardLanguage: String?

  /// Creates a context.
  public override init() { super.init() }
}

/// Finds items of your app: `title == "moby*"cd && contentType == "public.text"`.
///
/// Handlers are called on a background queue, one after the other.
open class CSSearchQuery: NSObject {
  private struct State {
    var found: (([CSSearchableItem]) -> Void)?
    var completed: (((any Error)?) -> Void)?
    var count = 0
    var isStarted = false
    var isCancelled = false
    var call: QueryCall?
  }

  private struct Unchecked: @unchecked Sendable { var state = State() }

  private let expression: String
  /// The path of the socket of the user's index; nil for the usual one.
  var socket: String?
  private let lock = Mutex(Unchecked())
  private let callbacks = DispatchQueue(label: "io.baton.Search.query")

  /// Creates a query.
  public init(queryString: String, queryContext: CSSearchQueryContext?) {
    let filters = queryContext?.filterQueries ?? []
    // Without filters, it stays as it is, so that an error shows where it is wrong.
    expression =
      filters.isEmpty ? queryString : ([queryString] + filters).map { "(\($0))" }.joined(separator: " && ")
    super.init()
  }

  /// Creates a query that fetches some attributes. Here, all of them are fetched.
  public convenience init(queryString: String, attributes: [String]?) {
    self.init(queryString: queryString, queryContext: nil)
  }

  private func withState<Value>(_ body: (inout State) -> Value) -> Value {
    lock.withLock { unchecked in
      nonisolated(unsafe) let value = body(&unchecked.state)
      return value
    }
  }

  /// Called with each group of items that was found.
  open var foundItemsHandler: (([CSSearchableItem]) -> Void)? {
    get { withState { $0.found } }
    set { withState { $0.found = newValue } }
  }

  /// Called once at the end: with nil, or a ``CSSearchQueryError``.
  open var completionHandler: (((any Error)?) -> Void)? {
    get { withState { $0.completed } }
    set { withState { $0.completed = newValue } }
  }

  /// The number of items found so far.
  open var foundItemCount: Int { withState { $0.count } }

  /// Whether ``cancel()`` was called.
  open var isCancelled: Bool { withState { $0.isCancelled } }

  /// Starts the query. Has no effect the second time.
  open func start() {
    let isFirst = withState { state in
      defer { state.isStarted = true }
      return !state.isStarted && !state.isCancelled
    }
    guard isFirst else { return }
    let parameters = QueryItems.Parameters(
      application: ApplicationIdentifier.current,
      index: nil,
      expression: expression
    )
    let socket = socket
    Task { @Loop in
      let call = QueryCall(parameters, socket: socket)
      let isCancelled = self.withState { state in
        if !state.isCancelled { state.call = call }
        return state.isCancelled
      }
      guard !isCancelled else { return }
      call.begin { event in self.callbacks.async { self.received(event) } }
    }
  }

  /// Stops the query. The completion handler gets ``CSSearchQueryError/Code-swift.enum/cancelled``.
  open func cancel() {
    let (isRunning, call) = withState { state in
      defer {
        state.isCancelled = true
        state.call = nil
      }
      return (state.isStarted && !state.isCancelled, state.call)
    }
    Task { @Loop in call?.end() }
    if isRunning { callbacks.async { self.end(CSSearchQueryError(.cancelled)) } }
  }

  private func received(_ event: QueryCall.Event) {
    switch event {
    case .found(let entries):
      guard !isCancelled else { return }
      let handler = withState { state in
        state.count += entries.count
        return state.found
      }
      if !entries.isEmpty { handler?(entries.map { CSSearchableItem($0) }) }
    case .ended(let error):
      guard !isCancelled else { return }
      end(error.map { CSSearchQueryError($0) })
    }
  }

  private func end(_ error: CSSearchQueryError?) {
    let handler = withState { state in
      defer { state.completed = nil }
      return state.completed
    }
    handler?(error)
  }
}

// The lock makes it safe.
extension CSSearchQuery: @unchecked Sendable {}
