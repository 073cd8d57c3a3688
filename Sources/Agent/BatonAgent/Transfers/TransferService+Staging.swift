// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// The folders in which files lie until all of them are there, also those that a killed agent has left.
extension TransferService {
  /// Deletes what nobody waits for. Whatever has begun since is not among it, and what begins meanwhile waits.
  func discardUnwanted(_ found: [ActivityID], in folder: String) {
    let unwanted = found.filter {
      incoming[$0] == nil && !occupied.contains($0) && (table[$0].map { $0.state == .done } ?? true)
    }
    occupied.formUnion(unwanted)
    let isRunning = OwnThread.run {
      for transfer in unwanted { StagingFolder.discard(in: folder, transfer: transfer.description) }
      Task { @Loop [weak self] in
        for transfer in unwanted { self?.release(transfer) }
      }
    }
    if !isRunning { for transfer in unwanted { release(transfer) } }
  }

  /// A transfer may have arrived before the agent was killed, which could not say so. Its origin may not offer it
  /// again.
  func finished(_ transfer: Transfer, _ result: Result<FileReceiver.Finished?, SystemError>) {
    switch result {
    case .success(nil): break
    case .success(let finished?):
      let (files, arrival) = (IncomingFiles.listed(finished.paths), finished.arrival)
      // Nothing is left to receive. Another attempt would find a transfer that is over, and tell its origin so.
      awaiting[transfer.id] = nil
      occupied.remove(transfer.id)
      handle(.found(transfer.id, .done(files: files, omitted: arrival.omitted, omissions: arrival.omissions)))
      return
    case .failure(let error):
      log.warning(
        "A transfer has arrived, but its files couldn't be moved into place: \(error)",
        ["transfer": transfer.id.description]
      )
    }
    release(transfer.id)
  }

  func release(_ id: ActivityID) {
    occupied.remove(id)
    guard let begin = awaiting.removeValue(forKey: id) else { return }
    begin()
  }

  /// Deletes what has arrived of a transfer that nobody wants.
  func discard(_ id: ActivityID, in folder: String) {
    // What is on the disk must say first that nobody needs it.
    occupied.insert(id)
    store.whenSaved(id) { [weak self] isSaved in
      let isRunning =
        isSaved
        && OwnThread.run {
          StagingFolder.discard(in: folder, transfer: id.description)
          Task { @Loop in self?.release(id) }
        }
      if !isRunning { self?.release(id) }
    }
  }
}
