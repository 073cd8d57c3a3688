// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import JSONCoding
import Localization
import Search
import Varlink
import VarlinkServer

/// The interface `io.baton.Search`. Its handlers only translate.
@Loop
final class SearchServer: SearchMethods {
  private let service: SearchService

  init(_ service: SearchService, on server: VarlinkServer) {
    self.service = service
    server.add(self)
  }

  // MARK: Apps

  func index(_ parameters: IndexEntries.Parameters, _ exchange: Exchange<IndexEntries>) {
    let given = parameters.given
    guard given.count <= Limits.entriesPerCall,
      parameters.replaces?.count ?? 0 <= Limits.entriesPerCall
    else {
      return exchange.fail(SearchFailure.limit("entries", Limits.entriesPerCall))
    }
    if given.entries.isEmpty, given.count > 0 {
      guard let limit = given.limit else { return exchange.fail(.invalidParameter("entries")) }
      return exchange.fail(SearchFailure.limit(limit.parameter, limit.limit))
    }
    let omitted = given.omissions.isEmpty ? nil : given.omissions
    service.put(parameters) { exchange.end($0.map { IndexEntries.Reply(omitted: omitted) }) }
  }

  func delete(_ parameters: DeleteEntries.Parameters, _ exchange: Exchange<DeleteEntries>) {
    let given: [Selection] = [
      parameters.identifiers.map(Selection.items), parameters.domainIdentifiers.map(Selection.domains),
      parameters.persistentIdentifiers.map(Selection.activities),
      parameters.allItems == true ? .allItems : nil, parameters.allActivities == true ? .allActivities : nil,
    ].compactMap(\.self)
    guard let selection = given.first, given.count == 1 else {
      return exchange.fail(.invalidParameter(given.isEmpty ? "identifiers" : "allItems"))
    }
    service.delete(selection, parameters) { exchange.end($0.map(Deleted.init)) }
  }

  func getClientState(_ parameters: ApplicationIndex, _ exchange: Exchange<GetClientState>) {
    service.store.write { index throws(IndexError) in
      try index.clientState(application: parameters.application, index: parameters.index)
    } completion: { result in
      exchange.end(result.map { GetClientState.Reply(clientState: $0.state.map(Base64.encode), isNew: $0.isNew) })
    }
  }

  func setClientState(_ parameters: SetClientState.Parameters, _ exchange: Exchange<SetClientState>) {
    let state = parameters.clientState.map(Base64.decode)
    guard state != .some(.none) else { return exchange.fail(.invalidParameter("clientState")) }
    service.store.write { index throws(IndexError) in
      try index.setClientState(state ?? nil, application: parameters.application, index: parameters.index)
    } completion: { result in
      exchange.end(result.map { SetClientState.Reply() })
    }
  }

  func query(_ parameters: QueryItems.Parameters, _ exchange: Exchange<QueryItems>) {
    service.query(parameters, exchange)
  }

  // MARK: People

  func search(_ parameters: SearchEntries.Parameters, _ exchange: Exchange<SearchEntries>) {
    guard parameters.words.utf8.count <= Limits.searchWordsLength else {
      return exchange.fail(SearchFailure.limit("words", Limits.searchWordsLength))
    }
    service.finder.search(parameters.words, limit: parameters.limit) { exchange.end($0.map(FoundResults.init)) }
  }

  func suggest(_ parameters: SuggestEntries.Parameters, _ exchange: Exchange<SuggestEntries>) {
    service.finder.suggest(limit: parameters.limit) { exchange.end($0.map(FoundResults.init)) }
  }

  func open(_ parameters: OpenResult.Parameters, _ exchange: Exchange<OpenResult>) {
    service.names.open(parameters.result, parameters.shown, activationToken: parameters.activationToken) { failure in
      if let failure { exchange.fail(failure) } else { exchange.reply(OpenResult.Reply()) }
    }
  }

  func forget(_ parameters: ForgetEntries.Parameters, _ exchange: Exchange<ForgetEntries>) {
    service.forget(parameters) { exchange.end($0.map(Deleted.init)) }
  }

  func getStatus(_ parameters: Nothing, _ exchange: Exchange<GetSearchStatus>) {
    service.status { exchange.end($0) }
  }
}

extension AnyExchange {
  /// Ends the exchange with the error of the interface.
  func fail(_ failure: ControlFailure) { fail("io.baton.Search.Failed", failure.members) }
}

extension Exchange {
  func end(_ result: Result<M.Reply, IndexError>) {
    switch result {
    case .success(let reply): self.reply(reply)
    case .failure(let error): fail(SearchFailure.of(error))
    }
  }
}

/// Why a call failed, as the interface says it.
enum SearchFailure {
  static func limit(_ parameter: String, _ limit: Int) -> ControlFailure {
    ControlFailure(.limitReached, message: localized("\(parameter) exceeds the limit of \(limit)."))
  }

  static func of(_ error: IndexError) -> ControlFailure {
    switch error {
    case .limit(let part): limit(part.parameter, part.limit)
    default: ControlFailure(.indexUnavailable, message: localized("Can't use the search index: \(error.message)."))
    }
  }
}
