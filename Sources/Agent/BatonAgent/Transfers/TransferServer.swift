// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Localization
import Varlink
import VarlinkServer

/// The interface `io.baton.Transfers`. Its handlers only translate.
@Loop
final class TransferServer: TransfersMethods {
  private let service: TransferService
  /// Those who watch, and the transfer that each watches; nil for all.
  private var watchers: [ObjectIdentifier: (exchange: Exchange<WatchTransfers>, id: ActivityID?)] = [:]
  /// Runs while somebody watches a transfer that makes progress.
  private var timer: Timer?

  private static let progressInterval = Duration.milliseconds(200)

  init(_ service: TransferService, on server: VarlinkServer) {
    self.service = service
    server.add(self)
    timer = Timer { [weak self] in self?.tellProgress() }
    service.observe { [weak self] in self?.tell($0) }
  }

  /// Whether somebody watches this transfer.
  func isWatched(_ id: ActivityID) -> Bool { watchers.values.contains { $0.id == id } }

  func send(_ parameters: SendFiles.Parameters, _ exchange: Exchange<SendFiles>) {
    guard !parameters.files.isEmpty, parameters.files.count <= Limits.filesPerTransfer,
      parameters.files.allSatisfy({ FileURL.path($0)?.contains { $0 != UInt8(ascii: "/") } == true })
    else { return exchange.fail(.invalidParameter("files")) }
    let look = service.look(at: parameters.files) { [service] result in
      // Whoever has gone does not want it any longer.
      guard !exchange.hasClientLeft else { return }
      switch result {
      case .success(let found):
        service.send(parameters, found) { transfer in
          guard let transfer else {
            let message = localized(
              "Can't save the transfer to your outbox. Run `journalctl --user -u baton-agent` to see why."
            )
            return exchange.refuse(ControlFailure(.storageFailed, message: message))
          }
          guard !exchange.hasClientLeft else {
            _ = service.cancel(transfer.id)
            _ = service.forget(transfer.id)
            return
          }
          exchange.reply(TransferReply(transfer: service[transfer.id] ?? ControlTransfer(transfer)))
        }
      case .failure(let failure): exchange.refuse(failure)
      }
    }
    exchange.onClosed = { look?.stop(.withdrawn) }
  }

  func list(_ parameters: Nothing, _ exchange: Exchange<ListTransfers>) {
    exchange.reply(TransferList(fitting: service.all))
  }

  func getStatus(_ parameters: Nothing, _ exchange: Exchange<GetTransferStatus>) {
    service.status { exchange.reply($0) }
  }

  func accept(_ parameters: AcceptTransfer.Parameters, _ exchange: Exchange<AcceptTransfer>) {
    let transfer = service[parameters.id]?.transfer
    if let transfer, transfer.state == .asking, !transfer.title.hasBytes(of: parameters.title) {
      let message = localized(
        "The other machine has changed the transfer to \(Printable.text(transfer.title)). Check it, then accept again."
      )
      return exchange.refuse(ControlFailure(.transferNotFound, message: message))
    }
    change(TransferID(id: parameters.id), exchange) { [service] in service.accept($0, title: parameters.title) }
  }

  func cancel(_ parameters: TransferID, _ exchange: Exchange<CancelTransfer>) {
    change(parameters, exchange, service.cancel)
  }

  func retry(_ parameters: TransferID, _ exchange: Exchange<RetryTransfer>) {
    change(parameters, exchange, service.retry)
  }

  func forget(_ parameters: TransferID, _ exchange: Exchange<ForgetTransfer>) {
    change(parameters, exchange, service.forget)
  }

  private func change<M: Method>(
    _ parameters: TransferID,
    _ exchange: Exchange<M>,
    _ body: (ActivityID) -> Bool
  ) where M.Reply == Nothing {
    guard let state = service[parameters.id]?.transfer.state else {
      return exchange.refuse(ControlFailure(.transferNotFound))
    }
    if body(parameters.id) { return service.whenSaved { exchange.reply(Nothing()) } }
    let isStopping = state.isOver && service.table.isAttempted(parameters.id)
    let message =
      isStopping
      ? localized("The transfer is being stopped. Try again in a moment.")
      : Self.impossible(state)
    exchange.refuse(ControlFailure(.transferNotFound, message: message))
  }

  private static func impossible(_ state: Transfer.State) -> String {
    switch state {
    case .waiting: localized("You can't do that with a transfer that's queued.")
    case .asking: localized("You can't do that with a transfer that needs approval.")
    case .running: localized("You can't do that with a transfer that's in progress.")
    case .done: localized("You can't do that with a transfer that's done.")
    case .failed: localized("You can't do that with a transfer that has failed.")
    }
  }

  // MARK: Watching

  func watch(_ parameters: WatchTransfers.Parameters, _ exchange: Exchange<WatchTransfers>) {
    let chosen = parameters.id.map { id in service.all.filter { $0.transfer.id == id } } ?? service.all
    guard parameters.id == nil || !chosen.isEmpty else { return exchange.refuse(ControlFailure(.transferNotFound)) }
    exchange.replyContinuing(TransferList(fitting: chosen))
    guard !exchange.isFinished else { return }
    let key = ObjectIdentifier(exchange)
    watchers[key] = (exchange, parameters.id)
    exchange.onClosed = { [weak self] in self?.watchers[key] = nil }
    timer?.set(Loop.now + Self.progressInterval)
  }

  private func tell(_ id: ActivityID) {
    let transfer = service[id]
    for (exchange, only) in watchers.values where only == nil || only == id {
      exchange.replyContinuing(
        transfer.map { TransferList(transfers: [$0]) } ?? TransferList(transfers: [], gone: id)
      )
    }
  }

  private func tellProgress() {
    guard !watchers.isEmpty else { return }
    for transfer in service.all where transfer.transfer.state == .running { tell(transfer.transfer.id) }
    timer?.set(Loop.now + Self.progressInterval)
  }
}

extension AnyExchange {
  /// Ends the exchange with the error of the interface.
  fileprivate func refuse(_ failure: ControlFailure) { fail("io.baton.Transfers.Failed", failure.members) }

  fileprivate func refuse(_ failure: TransferFailure) {
    let reason: Reason = failure == .nothingToSend ? .filesUnavailable : .limitReached
    // Here, it is the outbox that has none.
    let isFull = failure == .noRoom
    let message =
      isFull ? localized("Your outbox is full. Run `baton transfers` to see what's queued.") : failure.explanation
    refuse(ControlFailure(reason, message: message))
  }
}
