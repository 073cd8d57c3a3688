// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import JSONCoding
import Synchronization
import Systemd
import Varlink
import VarlinkClient

/// Carries out what ``TransferTable`` decides about the user's transfers.
@Loop
final class TransferService {
  /// The maximum number of bytes that one machine sends in ``ReceivedVolumes.quotaTime``.
  private static let machineQuota: UInt64 = 256 << 30

  private var observers: [@Loop (ActivityID) -> Void] = []
  private var failureLog = TransferFailureLog()

  private(set) var table: TransferTable
  let store: TransferStore
  private let socket: String?
  private let home: String
  private let places: ArrivalPlaces
  let log: Log
  let volumes = Mutex(ReceivedVolumes())
  /// What arrives from now on obeys these.
  var settings = FileSettings() {
    didSet {
      let settings = settings
      table.rule = { TransferTable.Rule(settings.acceptance(of: $0)) }
      if settings.folder != oldValue.folder {
        let folder = settings.folder(home: home)
        _ = OwnThread.run { _ = self.refuses(folder) }
      }
    }
  }
  /// How many requests have their files looked at. They take their place in the outbox already.
  var looked = 0
  private var outgoing: [ActivityID: OutgoingFiles] = [:]
  var incoming: [ActivityID: IncomingFiles] = [:]
  private var timer: Timer?
  /// Stands while the daemon does not know a machine to which files are sent.
  private var peers: StandingCall<ListPeers>?

  /// - Parameters:
  ///   - home: The user's home directory.
  ///   - socket: The daemon's; nil for the default one.
  init(_ store: TransferStore, home: String, _ places: ArrivalPlaces, socket: String?, log: Log) {
    (self.store, self.home, self.places, self.socket, self.log) = (store, home, places, socket, log)
    table = TransferTable { _ in .ask }
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  func start() {
    let (transfers, areAll) = store.read()
    restoreVolumes(transfers)
    handle(.restored(transfers))
    let receiving = transfers.filter { $0.direction == .receiving }
    let ended = receiving.filter { !$0.state.isOver && $0.folder != nil }
    for transfer in ended { occupied.insert(transfer.id) }
    let folders = Set(transfers.compactMap(\.folder) + [settings.folder(home: home)])
    // A folder may be on another machine, which does not answer.
    for folder in folders {
      let own = ended.filter { $0.folder == folder }
      let isRunning = OwnThread.run {
        // What an agent could not delete that was killed. Without all records, it could be wanted.
        if areAll {
          let found = StagingFolder.transfers(in: folder).compactMap(ActivityID.init(text:))
          Task { @Loop [weak self] in self?.discardUnwanted(found, in: folder) }
        }
        for transfer in own {
          let result = Result { () throws(SystemError) in
            try FileReceiver.finish(in: folder, transfer: transfer.id.description)
          }
          Task { @Loop [weak self] in self?.finished(transfer, result) }
        }
      }
      if !isRunning { for transfer in own { release(transfer.id) } }
    }
  }

  /// Those whose folders another thread works on, so that nothing can arrive there.
  var occupied: Set<ActivityID> = []

  /// What goes on when the folder is free.
  var awaiting: [ActivityID: @Loop () -> Void] = [:]

  /// - Parameter completion: Called once everything is on the disk.
  func stop(_ completion: @escaping @Loop () -> Void) {
    timer?.set(nil)
    peers?.cancel()
    peers = nil
    for files in outgoing.values { files.close() }
    for files in incoming.values { files.close() }
    (outgoing, incoming, awaiting) = ([:], [:], [:])
    store.finish(completion)
  }

  /// - Parameter body: Called with each transfer that has changed, or is gone.
  func observe(_ body: @escaping @Loop (ActivityID) -> Void) { observers.append(body) }

  // MARK: People

  /// All transfers, the newest first.
  var all: [ControlTransfer] { table.all.map(described) }

  func status(_ completion: @escaping @Loop (GetTransferStatus.Reply) -> Void) {
    let (folder, reserve) = (settings.folder(home: home), settings.reserve)
    let isRunning = OwnThread.run { [places] in
      let trouble = places.objection(to: folder) ?? StagingFolder.obstacle(to: folder)?.description
      let free = StagingFolder.freeSpace(of: folder).map { Int(clamping: $0) }
      let status = GetTransferStatus.Reply(folder: folder, trouble: trouble, free: free, keepFree: reserve)
      Task { @Loop in completion(status) }
    }
    if !isRunning { completion(GetTransferStatus.Reply(folder: folder, trouble: nil, free: nil, keepFree: reserve)) }
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

  /// - Parameter title: What the user was shown.
  /// - Returns: False if there is no such transfer, or it is in another state, or has another title.
  func accept(_ id: ActivityID, title: String) -> Bool { handle(.accepted(id, title: title)) }

  func cancel(_ id: ActivityID) -> Bool { handle(.canceled(id)) }

  func forget(_ id: ActivityID) -> Bool { handle(.forgotten(id)) }

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

  /// Whether no files can arrive in a folder. Says why in the log. Call this on another thread.
  private nonisolated func refuses(_ folder: String) -> Bool {
    guard let objection = places.objection(to: folder) else { return false }
    log.warning("Can't receive files in \(folder): \(objection)")
    return true
  }

  static var now: Double { SystemClock().date }
  /// In seconds. The clock can be set meanwhile.
  private static let longestWait = 3600.0

  /// - Returns: Whether anything changes.
  @discardableResult
  func handle(_ event: TransferTable.Event) -> Bool {
    let effects = table.handle(event, at: Self.now)
    for effect in effects { perform(effect) }
    closeVolumes(of: effects)
    timer?.set(table.deadline.map { Loop.now + .seconds(min(max(0.01, $0 - Self.now), Self.longestWait)) })
    for id in Set(effects.compactMap(\.transfer)) {
      for tell in observers { tell(id) }
    }
    return !effects.isEmpty
  }

  private func perform(_ effect: TransferTable.Effect) {
    switch effect {
    case .offer(let id): offer(id)
    case .withdraw(let id):
      outgoing[id]?.close()
      outgoing[id] = nil
    case .receive(let id): receive(id)
    case .answer(let id):
      guard let transfer = table[id] else { return }
      incoming[id] = IncomingFiles(answering: transfer, socket: socket) { [weak self] in
        self?.received($0, transfer)
      }
    case .stop(let id, let failure):
      outgoing[id]?.stop(failure)
      incoming[id]?.attempt?.control.stop(failure)
    case .discard(let id, let folder): discard(id, in: folder)
    case .save(let id): if let transfer = table[id] { store.save(transfer) }
    case .erase(let id): store.erase(id)
    // Those who observe are told of it.
    case .tell: break
    }
  }

  private func receive(_ id: ActivityID) {
    if table[id]?.folder == nil { handle(.placed(id, folder: settings.folder(home: home))) }
    guard let transfer = table[id], let folder = transfer.folder else { return }
    guard !occupied.contains(id) else { return awaiting[id] = { [weak self] in self?.receive(id) } }
    let allowance = allowance(for: transfer)
    let refuses: @Sendable (String) -> Bool = { [self] in self.refuses($0) }
    incoming[id] = IncomingFiles(receiving: transfer, into: folder, unless: refuses, allowance, socket: socket) {
      [weak self] in self?.received($0, transfer)
    }
  }

  private func allowance(for transfer: Transfer) -> FileReceiver.Allowance {
    let quotas = ReceivedVolumes.Quotas(
      total: settings.quota.flatMap(UInt64.init(exactly:)),
      perMachine: Self.machineQuota
    )
    let now = Self.now
    return FileReceiver.Allowance(
      size: settings.maximumSize.flatMap(UInt64.init(exactly:)) ?? .max,
      reserve: UInt64(clamping: settings.reserve)
    ) { [weak self] announced in
      let isAdmitted = self?.volumes.withLock {
        $0.admit(
          transfer.id,
          from: transfer.deviceID,
          size: announced.size,
          entries: announced.entries,
          quotas,
          at: now
        )
      }
      guard isAdmitted == true else { return .quotaExceeded }
      Task { @Loop in self?.saveVolumes() }
      return nil
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
    log.info("Resumed a transfer", ["transfer": transfer.id.description, "device": transfer.device])
    handle(.began(transfer.id))
  }

  private func ended(
    _ transfer: Transfer,
    _ outcome: TransferTable.Outcome,
    _ progress: TransferControl.Progress?
  ) {
    let fields: KeyValuePairs = ["transfer": transfer.id.description, "device": transfer.device]
    switch outcome {
    case .done: log.info("Completed a transfer", fields)
    case .failed(let failure): failureLog.note(failure, progress?.error, of: transfer, log)
    case .broken: log.info("A transfer was interrupted", fields)
    }
    if let progress, progress.count > 0 { handle(.measured(transfer.id, progress.measure)) }
    if transfer.direction == .receiving {
      // Until the receiver has compared what is on the disk with what comes, that is all still there.
      let isCompared = progress.map { $0.stage != .preparing } ?? false
      let size = outcome == .broken || !isCompared ? nil : progress?.received ?? 0
      changeVolumes { $0.pause(transfer.id, size: size, at: Self.now) }
    }
    handle(.ended(transfer.id, outcome))
  }

}

extension TransferTable.Effect {
  /// The transfer that has changed.
  fileprivate var transfer: ActivityID? {
    switch self {
    case .save(let id), .erase(let id), .tell(let id): id
    case .offer, .withdraw, .receive, .answer, .stop, .discard: nil
    }
  }
}

extension TransferControl.Progress {
  fileprivate var measure: TransferTable.Measure {
    TransferTable.Measure(size: Int(clamping: size), count: count, received: Int(clamping: received))
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
