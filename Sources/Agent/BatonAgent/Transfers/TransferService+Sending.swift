// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop

extension TransferService {
  /// Looks at files that are to be sent, on another thread.
  ///
  /// - Parameter completion: Called with what was found, or with why nothing can be sent.
  /// - Returns: Stops it. Nil if it does not begin.
  func look(
    at files: [String],
    completion: @escaping @Loop (Result<FoundFiles, TransferFailure>) -> Void
  ) -> TransferControl? {
    let paths = files.compactMap(FileURL.path)
    let waiting = table.all.count { $0.direction == .sending && !$0.state.isOver }
    guard waiting + looked < Limits.outgoingTransfers else {
      completion(.failure(.noRoom))
      return nil
    }
    looked += 1
    let control = TransferControl()
    let isRunning = OwnThread.run {
      let result = Result { () throws(TransferStop) in try FoundFiles(at: paths, control) }
      Task { @Loop [weak self] in
        self?.looked -= 1
        completion(result.mapError(\.failure))
      }
    }
    guard !isRunning else { return control }
    looked -= 1
    completion(.failure(.noRoom))
    return nil
  }

  /// Puts files into the outbox.
  ///
  /// - Parameter completion: Called with the transfer once it is on the disk; with nil if it cannot be written there.
  func send(_ request: SendFiles.Parameters, _ found: FoundFiles, completion: @escaping @Loop (Transfer?) -> Void) {
    let now = Self.now
    var transfer = Transfer(
      id: .random(),
      .sending,
      deviceID: request.deviceID,
      device: request.device,
      team: request.team,
      title: found.info.title,
      state: .waiting,
      begun: now
    )
    transfer.files = request.files
    transfer.links = found.links
    (transfer.size, transfer.count) = (found.info.size, found.info.count)
    transfer.expires = request.expires ?? now + Limits.outboxTime
    transfer.info = found.info
    let id = transfer.id
    store.save(transfer)
    store.whenSaved(id) { [weak self] isSaved in
      guard isSaved else {
        self?.store.erase(id)
        return completion(nil)
      }
      self?.handle(.sent(transfer))
      completion(self?.table[id])
    }
  }

  /// Tries a transfer again. What is sent is looked at again, because it can have changed.
  ///
  /// - Returns: False if it has not failed, or is being stopped.
  func retry(_ id: ActivityID) -> Bool {
    guard let transfer = table[id], transfer.state == .failed, !table.isAttempted(id) else { return false }
    guard transfer.direction == .sending else { return handle(.retried(id)) }
    let paths = transfer.files.compactMap(FileURL.path)
    let links = transfer.links
    return OwnThread.run {
      let found = try? FoundFiles(at: paths, links: links, TransferControl())
      Task { @Loop [weak self] in
        if let info = found?.info { self?.handle(.described(id, info, title: info.title)) }
        self?.handle(.retried(id))
      }
    }
  }
}

extension TransferStop {
  fileprivate var failure: TransferFailure {
    switch self {
    case .failed(let failure): failure
    case .broken: .nothingToSend
    }
  }
}
