import Activity
import ActivityTypes
import AgentSettings
import ControlClient
import ControlInterface
import EventLoop
import FileTransfer
import JSONCoding
import Synchronization
import Systemd
import TransferInterface
import Transfers
import Varlink

/// Carries out what ``TransferTable`` decides about the user's transfers.
@Loop
final class TransferService {
  private var observers: [@Loop (ActivityID) -> Void] = []

  private var table: TransferTable
  private let store: TransferStore
  private let socket: String?
  private let home: String
  private let log: Log
  private let volumes = Mutex(ReceivedVolumes())
  /// What arrives from now on obeys these.
  var settings = FileSettings() {
    didSet {
      let settings = settings
      table.rule = { TransferTable.Rule(settings.acceptance(of: $0)) }
    }
  }
  private var outgoing: [ActivityID: OutgoingFiles] = [:]
  private var incoming: [ActivityID: IncomingFiles] = [:]
  private var timer: Timer?
  /// Stands while the daemon does not know a machine to which files are sent.
  private var peers: StandingCall<ListPeers>?

  /// - Parameters:
  ///   - home: The user's home directory.
  ///   - socket: The daemon's; nil for the default one.
  init(_ store: TransferStore, home: String, socket: String?, log: Log) {
    (self.store, self.home, self.socket, self.log) = (store, home, socket, log)
    table = TransferTable { _ in .ask }
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  func start() {
    let transfers = store.read()
    volumes.withLock { volumes in
      for transfer in transfers where transfer.direction == .receiving && transfer.reason == nil {
        guard let size = transfer.size.flatMap(UInt64.init(exactly:)) else { continue }
        volumes.count(transfer.id, from: transfer.deviceID, size: size, at: transfer.ended ?? transfer.begun)
      }
    }
    discardLeftovers(transfers)
    handle(.restored(transfers))
    for transfer in transfers where transfer.direction == .receiving && !transfer.state.isOver { finish(transfer) }
  }

  /// Ends a transfer that has arrived, if the agent was killed before it could say so. Its origin may not offer it
  /// again.
  private func finish(_ transfer: Transfer) {
    guard let folder = transfer.folder else { return }
    do throws(SystemError) {
      guard let (paths, arrival) = try FileReceiver.finish(in: folder, transfer: transfer.id.description) else {
        return
      }
      let files = paths.map(FileURL.text)
      handle(.ended(transfer.id, .done(files: files, omitted: arrival.omitted, omissions: arrival.omissions)))
    } catch {
      log.warning("A transfer has arrived, but cannot get its names: \(error)", ["transfer": transfer.id.description])
    }
  }

  /// Deletes what arrived of transfers that nobody wants, which an agent that was killed could not delete.
  private func discardLeftovers(_ transfers: [Transfer]) {
    let wanted = transfers.filter { $0.direction == .receiving && $0.state != .done }
    let folders = Set(transfers.compactMap(\.folder) + [settings.folder(home: home)])
    // What arrives from now on is not among them.
    let leftovers = folders.flatMap { folder in
      StagingFolder.transfers(in: folder).subtracting(wanted.map(\.id.description)).map { (folder, $0) }
    }
    guard !leftovers.isEmpty else { return }
    _ = OwnThread.run { for (folder, transfer) in leftovers { StagingFolder.discard(in: folder, transfer: transfer) } }
  }

  /// - Parameter completion: Called once everything is on the disk.
  func stop(_ completion: @escaping @Loop () -> Void) {
    timer?.set(nil)
    peers?.cancel()
    peers = nil
    for files in outgoing.values { files.close() }
    for files in incoming.values { files.close() }
    (outgoing, incoming) = ([:], [:])
    store.finish(completion)
  }

  /// - Parameter body: Called with each transfer that has changed, or is gone.
  func observe(_ body: @escaping @Loop (ActivityID) -> Void) { observers.append(body) }

  // MARK: People

  /// All transfers, the newest first.
  var all: [ControlTransfer] { table.all.map(described) }

  func status(_ completion: @escaping @Loop (GetTransferStatus.Reply) -> Void) {
    let (folder, reserve) = (settings.folder(home: home), settings.reserve)
    store.afterwards {
      let free = StagingFolder.freeSpace(of: folder).map { Int(clamping: $0) }
      Task { @Loop in completion(GetTransferStatus.Reply(folder: folder, free: free, keepFree: reserve)) }
    }
  }

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

  /// - Parameter completion: Called once everything until now is on the disk.
  func whenSaved(_ completion: @escaping @Loop () -> Void) { store.finish(completion) }

  /// Puts files into the outbox.
  ///
  /// - Parameter completion: Called with the transfer, or with why nothing can be sent.
  func send(_ request: SendFiles.Parameters, completion: @escaping @Loop (Result<Transfer, TransferFailure>) -> Void) {
    let paths = request.files.compactMap(FileURL.path)
    let waiting = table.all.count { $0.direction == .sending && !$0.state.isOver }
    guard waiting + looked < Limits.outgoingTransfers else { return completion(.failure(.noRoom)) }
    looked += 1
    let isRunning = OwnThread.run {
      let result: Result<FilesInfo, TransferStop>
      do throws(TransferStop) { result = .success(try FilesInfo(ofFilesAt: paths)) } catch { result = .failure(error) }
      Task { @Loop [weak self] in
        self?.looked -= 1
        self?.send(request, result, completion)
      }
    }
    guard !isRunning else { return }
    looked -= 1
    completion(.failure(.noRoom))
  }

  /// How many requests have their files looked at. They take their place in the outbox already.
  private var looked = 0

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
        title: info.title,
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

  /// Tries a transfer again. What is sent is looked at again, because it can have changed.
  func retry(_ id: ActivityID) -> Bool {
    guard let transfer = table[id], transfer.state == .failed else { return false }
    guard transfer.direction == .sending else { return change(id, .retried(id)) { _ in true } }
    let paths = transfer.files.compactMap(FileURL.path)
    return OwnThread.run {
      let info = try? FilesInfo(ofFilesAt: paths)
      Task { @Loop [weak self] in
        if let info { self?.handle(.described(id, info, title: info.title)) }
        self?.handle(.retried(id))
      }
    }
  }

  func forget(_ id: ActivityID) -> Bool { change(id, .forgotten(id)) { $0.state.isOver } }

  private func change(_ id: ActivityID, _ event: TransferTable.Event, if condition: (Transfer) -> Bool) -> Bool {
    guard let transfer = table[id], condition(transfer) else { return false }
    handle(event)
    return true
  }

  // MARK: Other machines

  func offersChanged(_ offers: [ControlOffer]) {
    let sent = offers.filter {
      $0.isSent && $0.activityType == OpenActivityType.files.rawValue && $0.source == .session
    }
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
  /// In seconds. The clock can be set meanwhile.
  private static let longestWait = 3600.0

  private func handle(_ event: TransferTable.Event) {
    let effects = table.handle(event, at: Self.now)
    for effect in effects { perform(effect) }
    timer?.set(table.deadline.map { Loop.now + .seconds(min(max(0.01, $0 - Self.now), Self.longestWait)) })
    for id in Set(effects.compactMap(\.transfer)) {
      for tell in observers { tell(id) }
    }
  }

  private func perform(_ effect: TransferTable.Effect) {
    switch effect {
    case .offer(let id): offer(id)
    case .withdraw(let id):
      outgoing[id]?.close()
      outgoing[id] = nil
    case .receive(let id): receive(id)
    case .answer(let id, let failure):
      guard let transfer = table[id] else { return }
      incoming[id] = IncomingFiles(answering: transfer, failure, socket: socket) { [weak self] in
        self?.received($0, transfer)
      }
    case .stop(let id, let failure):
      (outgoing[id]?.attempt ?? incoming[id]?.attempt)?.control.stop(failure)
    case .discard(let id, let folder): discard(id, in: folder)
    case .save(let id): if let transfer = table[id] { store.save(transfer) }
    case .erase(let id): store.erase(id)
    }
  }

  private func receive(_ id: ActivityID) {
    if table[id]?.folder == nil { handle(.placed(id, folder: settings.folder(home: home))) }
    guard let transfer = table[id], let folder = transfer.folder else { return }
    incoming[id] = IncomingFiles(receiving: transfer, into: folder, allowance(for: transfer), socket: socket) {
      [weak self] in self?.received($0, transfer)
    }
  }

  private func allowance(for transfer: Transfer) -> FileReceiver.Allowance {
    let quotas = ReceivedVolumes.Quotas(
      total: settings.quota.flatMap(UInt64.init(exactly:)),
      perMachine: settings.machineQuota.flatMap(UInt64.init(exactly:))
    )
    let now = Self.now
    return FileReceiver.Allowance(
      size: settings.maximumSize.flatMap(UInt64.init(exactly:)) ?? .max,
      reserve: UInt64(clamping: settings.reserve)
    ) { [weak self] announced in
      let isAdmitted = self?.volumes.withLock {
        $0.admit(transfer.id, from: transfer.deviceID, size: announced.size, quotas, at: now)
      }
      return isAdmitted == true ? nil : .quotaExceeded
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
    case .ended(let outcome, let progress): ended(transfer, outcome, progress)
    case .notSent(let failure): handle(.notSent(transfer.id, failure))
    case .unknown: watchPeers()
    }
  }

  /// Offers files when the daemon knows their machine.
  private func watchPeers() {
    guard peers == nil else { return }
    peers = StandingCall(ListPeers.self, Nothing(), path: socket) { [weak self] event in
      if case .replied(let reply) = event { self?.peersChanged(Set(reply.peers.map(\.deviceID))) }
    }
    peers?.begin()
  }

  private func peersChanged(_ known: Set<DeviceID>) {
    let unknown = outgoing.values.filter(\.isUnknown)
    for files in unknown where files.recipient.map(known.contains) == true { files.offer() }
    guard !unknown.contains(where: \.isUnknown) else { return }
    peers?.cancel()
    peers = nil
  }

  private func received(_ event: IncomingFiles.Event, _ transfer: Transfer) {
    switch event {
    case .began: began(transfer)
    case .ended(let outcome, let progress):
      incoming[transfer.id] = nil
      ended(transfer, outcome, progress)
    }
  }

  private func began(_ transfer: Transfer) {
    log.info("A transfer goes on", ["transfer": transfer.id.description, "device": transfer.device])
    handle(.began(transfer.id))
  }

  private func ended(
    _ transfer: Transfer,
    _ outcome: TransferTable.Outcome,
    _ progress: TransferControl.Progress?
  ) {
    let fields: KeyValuePairs = ["transfer": transfer.id.description, "device": transfer.device]
    switch outcome {
    case .done: log.info("A transfer is done", fields)
    case .failed(let failure):
      log.notice("A transfer failed: \(failure.rawValue)", fields)
      volumes.withLock { $0.reduce(transfer.id, to: progress?.received ?? 0) }
    case .broken: log.info("A transfer was interrupted", fields)
    }
    if let progress, progress.count > 0 {
      handle(.measured(transfer.id, size: Int(clamping: progress.size), count: progress.count))
    }
    handle(.ended(transfer.id, outcome))
  }

  /// Deletes what has arrived of a transfer that nobody wants.
  private func discard(_ id: ActivityID, in folder: String) {
    // What is on the disk must say first that nobody needs it.
    store.onceSaved(id) {
      _ = OwnThread.run { StagingFolder.discard(in: folder, transfer: id.description) }
    }
  }
}

extension TransferTable.Effect {
  /// The transfer that has changed.
  fileprivate var transfer: ActivityID? {
    switch self {
    case .save(let id), .erase(let id): id
    case .offer, .withdraw, .receive, .answer, .stop, .discard: nil
    }
  }
}

extension TransferTable.Rule {
  fileprivate init(_ acceptance: FileSettings.Acceptance) {
    switch acceptance {
    case .ask: self = .ask
    case .always: self = .accept
    case .never: self = .refuse
    }
  }
}
