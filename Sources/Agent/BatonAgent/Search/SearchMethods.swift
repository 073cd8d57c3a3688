// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Search.varlink. Edit that file.

import EventLoop
import Search
import Varlink
import VarlinkServer

/// What handles each method of `io.baton.Search`. Each answers through its exchange, now or later.
@Loop
protocol SearchMethods: AnyObject {
  func index(_ parameters: IndexEntries.Parameters, _ exchange: Exchange<IndexEntries>)
  func delete(_ parameters: DeleteEntries.Parameters, _ exchange: Exchange<DeleteEntries>)
  func getClientState(_ parameters: GetClientState.Parameters, _ exchange: Exchange<GetClientState>)
  func setClientState(_ parameters: SetClientState.Parameters, _ exchange: Exchange<SetClientState>)
  func query(_ parameters: QueryItems.Parameters, _ exchange: Exchange<QueryItems>)
  func search(_ parameters: SearchEntries.Parameters, _ exchange: Exchange<SearchEntries>)
  func suggest(_ parameters: SuggestEntries.Parameters, _ exchange: Exchange<SuggestEntries>)
  func open(_ parameters: OpenResult.Parameters, _ exchange: Exchange<OpenResult>)
  func forget(_ parameters: ForgetEntries.Parameters, _ exchange: Exchange<ForgetEntries>)
  func getStatus(_ parameters: GetSearchStatus.Parameters, _ exchange: Exchange<GetSearchStatus>)
}

extension VarlinkServer {
  /// Serves `io.baton.Search`.
  ///
  /// - Parameter handlers: They live as long as the server.
  func add(_ handlers: some SearchMethods) {
    add(.search)
    on(IndexEntries.self) { [unowned handlers] in handlers.index($0, $1) }
    on(DeleteEntries.self) { [unowned handlers] in handlers.delete($0, $1) }
    on(GetClientState.self) { [unowned handlers] in handlers.getClientState($0, $1) }
    on(SetClientState.self) { [unowned handlers] in handlers.setClientState($0, $1) }
    on(QueryItems.self) { [unowned handlers] in handlers.query($0, $1) }
    on(SearchEntries.self) { [unowned handlers] in handlers.search($0, $1) }
    on(SuggestEntries.self) { [unowned handlers] in handlers.suggest($0, $1) }
    on(OpenResult.self) { [unowned handlers] in handlers.open($0, $1) }
    on(ForgetEntries.self) { [unowned handlers] in handlers.forget($0, $1) }
    on(GetSearchStatus.self) { [unowned handlers] in handlers.getStatus($0, $1) }
  }
}
