import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import FileTransfer
import Systemd
import TransferInterface
import Transfers

/// Carries out what ``TransferTable`` decides about the user's transfers.
@Loop
final class TransferService {
  /// Called with each transfer that has changed, or is gone.
  var onChange: (@Loop (ActivityID) -> Void)?

  private var table: TransferTable
  private let store: TransferStore
  private let socket: String?
  private let folder: String
  private let log: Log
  private var outgoing: [ActivityID: OutgoingFiles] = [:]
  private var incoming: [ActivityID: IncomingFiles] = [:]
  /// What is looked at before it is sent, by a number.
  private var timer: Timer?

  /// - Parameters:
  ///   - folder: Where files arrive.
  ///   - socket: The daemon's; nil for the default one.
  ///   - accepts: Whether a rule accepts an offer.
  init(
    _ store: TransferStore,
    folder: String,
    socket: String?,
    log: Log,
    accepts: @escaping @Sendable (TransferTable.Offer) -> Bool
  ) {
    (self.store, self.folder, self.socket, self.log) = (store, folder, socket, log)
    table = TransferTable(accepts: accepts)
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  func start() { handle(.restored(store.read())) }

  func stop() {
    timer?.set(nil)
    for files in outgoing.values { files.close() }
    for files in incoming.values { files.close() }
    (outgoing, incoming) = ([:], [:])
  }

  // MARK: People

  /// All transfers, the newest first.
  var all: [ControlTransfer] { table.all.map(described) }

  subscript(id: ActivityID) -> ControlTransfer? { table[id].map(described) }

  private func described(_ transfer: Transfer) -> ControlTransfer {
    var described = ControlTransfer(transfer)
    guard let control = (outgoing[transfer.id]?.attempt ?? incoming[transfer.id]?.attempt)?.control else {
      return described
    }
    let progress = control.progress
    described.received = Int(clamping: progress.received)
    described.arrived = progress.files
    if progress.count > 0 {
      described.transfer.size = Int(clamping: progress.size)
      described.transfer.count = progress.count
    }
    return described
  }

  /// Puts files into the outbox.
  ///
  /// - Parameter completion: Called with the transfer, or with why nothing can be sent.
  func send(_ request: SendFiles.Parameters, completion: @escaping @Loop (Result<Transfer, TransferFailure>) -> Void) {
    let paths = request.files.compactMap(FileURL.path)
    let waiting = table.all.count { $0.direction == .sending && !$0.state.isOver }
    guard waiting < Limits.outgoingTransfers else { return completion(.failure(.noRoom)) }
    let isRunning = OwnThread.run {
      let result: Result<FilesInfo, TransferStop>
      do throws(TransferStop) { result = .success(try FilesInfo(ofFilesAt: paths)) } catch { result = .failure(error) }
      Task { @Loop [weak self] in self?.send(request, result, completion) }
    }
    if !isRunning { completion(.failure(.noRoom)) }
  }

  private func send(
    _ request: SendFiles.Parameters,
    _ result: Result<FilesInfo, TransferStop>,
    _ completion: @Loop (Result<Transfer, TransferFailure>) -> Void
  ) {
    switch result {
    case .failure(.failed(let failure)): completion(.failure(failure))
    case .failure(.broken): completion(.failure(.nothingToSend))
    case .success(let info):
      let now = Self.now
      var transfer = Transfer(
        id: .random(),
        .sending,
        deviceID: request.deviceID,
        device: request.device,
        team: request.team,
        title: info.title(tops: request.files.count),
        state: .waiting,
        begun: now
      )
      transfer.files = request.files
      (transfer.size, transfer.count) = (info.size, info.count)
      transfer.expires = request.expires ?? now + Limits.outboxTime
      transfer.info = info
      handle(.sent(transfer))
      completion(.success(transfer))
    }
  }

  /// - Returns: False if there is no such transfer, or it is in another state.
  func accept(_ id: ActivityID) -> Bool { change(id, .accepted(id)) { $0.state == .asking } }

  func cancel(_ id: ActivityID) -> Bool { change(id, .canceled(id)) { !$0.state.isOver } }

  func retry(_ id: ActivityID) -> Bool { change(id, .retried(id)) { $0.state == .failed } }

  func forget(_ id: ActivityID) -> Bool { change(id, .forgotten(id)) { $0.state.isOver } }

  private func change(_ id: ActivityID, _ event: TransferTable.Event, if condition: (Transfer) -> Bool) -> Bool {
    guard let transfer = table[id], condition(transfer) else { return false }
    handle(event)
    return true
  }

  // MARK: Other machines

  func offersChanged(_ offers: [ControlOffer]) {
    let sent = offers.filter { $0.isSent && $0.activityType == OpenActivityType.files.rawValue && $0.source == .session }
    handle(
      .offersChanged(
        sent.map { offer in
          TransferTable.Offer(
            id: offer.id,
            deviceID: offer.deviceID,
            device: offer.device,
            team: offer.team,
            title: offer.title ?? "",
            generation: offer.generation ?? 0
          )
        }
      )
    )
  }

  // MARK: Effects

  private static var now: Double { SystemClock().date }

  private func handle(_ event: TransferTable.Event) {
    let effects = table.handle(event, at: Self.now)
    for effect in effects { perform(effect) }
    for id in Set(effects.compactMap(\.transfer)) { onChange?(id) }
  }

  private func perform(_ effect: TransferTable.Effect) {
    switch effect {
    case .offer(let id): offer(id)
    case .withdraw(let id):
      outgoing[id]?.close()
      outgoing[id] = nil
    case .receive(let id):
      guard let transfer = table[id] else { return }
      incoming[id] = IncomingFiles(receiving: transfer, into: folder, .init(), socket: socket) { [weak self] in
        self?.received($0, transfer)
      }
    case .answer(let id, let failure):
      guard let transfer = table[id] else { return }
      incoming[id] = IncomingFiles(answering: transfer, failure, socket: socket) { [weak self] in
        self?.received($0, transfer)
      }
    case .stop(let id, let failure):
      (outgoing[id]?.attempt ?? incoming[id]?.attempt)?.control.stop(failure)
    case .discard(let id): discard(id)
    case .save(let id): if let transfer = table[id] { store.save(transfer) }
    case .erase(let id): store.erase(id)
    case .wake(let date): timer?.set(Loop.now + .seconds(max(0.01, date - Self.now)))
    }
  }

  private func offer(_ id: ActivityID) {
    guard let transfer = table[id], let info = transfer.info else { return }
    let files =
      outgoing[id]
      ?? OutgoingFiles(transfer, info, paths: transfer.files.compactMap(FileURL.path), socket: socket) { [weak self] in
        self?.sent($0, transfer)
      }
    outgoing[id] = files
    files.offer()
  }

  private func sent(_ event: OutgoingFiles.Event, _ transfer: Transfer) {
    switch event {
    case .began: began(transfer)
    case .ended(let outcome): ended(transfer, outcome)
    case .notSent(let failure): handle(.notSent(transfer.id, failure))
    }
  }

  private func received(_ event: IncomingFiles.Event, _ transfer: Transfer) {
    switch event {
    case .began: began(transfer)
    case .ended(let outcome):
      incoming[transfer.id] = nil
      ended(transfer, outcome)
    }
  }

  private func began(_ transfer: Transfer) {
    log.info("A transfer goes on", ["transfer": transfer.id.description, "device": transfer.device])
    handle(.began(transfer.id))
  }

  private func ended(_ transfer: Transfer, _ outcome: TransferTable.Outcome) {
    let fields: KeyValuePairs = ["transfer": transfer.id.description, "device": transfer.device]
    switch outcome {
    case .done: log.info("A transfer is done", fields)
    case .failed(let failure): log.notice("A transfer failed: \(failure.rawValue)", fields)
    case .broken: log.info("A transfer was interrupted", fields)
    }
    handle(.ended(transfer.id, outcome))
  }

  /// Deletes what has arrived of a transfer that nobody wants.
  private func discard(_ id: ActivityID) {
    let folder = folder
    _ = OwnThread.run { StagingFolder.discard(in: folder, transfer: id.description) }
  }
}

extension TransferTable.Effect {
  /// The transfer that has changed.
  fileprivate var transfer: ActivityID? {
    switch self {
    case .save(let id), .erase(let id): id
    case .offer, .withdraw, .receive, .answer, .stop, .discard, .wake: nil
    }
  }
}
