// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Transfers.varlink. Edit that file.

import Desktop
import EventLoop
import Varlink
import VarlinkServer

/// What handles each method of `io.baton.Transfers`. Each answers through its exchange, now or later.
@Loop
protocol TransfersMethods: AnyObject {
  func send(_ parameters: SendFiles.Parameters, _ exchange: Exchange<SendFiles>)
  func list(_ parameters: ListTransfers.Parameters, _ exchange: Exchange<ListTransfers>)
  func watch(_ parameters: WatchTransfers.Parameters, _ exchange: Exchange<WatchTransfers>)
  func getStatus(_ parameters: GetTransferStatus.Parameters, _ exchange: Exchange<GetTransferStatus>)
  func accept(_ parameters: AcceptTransfer.Parameters, _ exchange: Exchange<AcceptTransfer>)
  func cancel(_ parameters: CancelTransfer.Parameters, _ exchange: Exchange<CancelTransfer>)
  func retry(_ parameters: RetryTransfer.Parameters, _ exchange: Exchange<RetryTransfer>)
  func forget(_ parameters: ForgetTransfer.Parameters, _ exchange: Exchange<ForgetTransfer>)
}

extension VarlinkServer {
  /// Serves `io.baton.Transfers`.
  ///
  /// - Parameter handlers: They live as long as the server.
  func add(_ handlers: some TransfersMethods) {
    add(.transfers)
    on(SendFiles.self) { [unowned handlers] in handlers.send($0, $1) }
    on(ListTransfers.self) { [unowned handlers] in handlers.list($0, $1) }
    on(WatchTransfers.self) { [unowned handlers] in handlers.watch($0, $1) }
    on(GetTransferStatus.self) { [unowned handlers] in handlers.getStatus($0, $1) }
    on(AcceptTransfer.self) { [unowned handlers] in handlers.accept($0, $1) }
    on(CancelTransfer.self) { [unowned handlers] in handlers.cancel($0, $1) }
    on(RetryTransfer.self) { [unowned handlers] in handlers.retry($0, $1) }
    on(ForgetTransfer.self) { [unowned handlers] in handlers.forget($0, $1) }
  }
}
