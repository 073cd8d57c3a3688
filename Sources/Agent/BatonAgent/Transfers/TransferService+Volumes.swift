// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Synchronization

extension ReceivedVolumes {
  /// What is known of the transfers that are listed, if the account is lost.
  fileprivate init(_ transfers: [Transfer]) {
    self.init()
    for transfer in transfers {
      let size = (transfer.state == .failed ? transfer.received : transfer.size).flatMap(UInt64.init(exactly:))
      // What was refused does not count.
      guard let size, size > 0 || transfer.state != .failed else { continue }
      let date = transfer.ended ?? transfer.begun
      _ = admit(transfer.id, from: transfer.deviceID, size: size, entries: transfer.count ?? 0, Quotas(), at: date)
      pause(transfer.id, size: nil, at: date)
    }
  }
}

/// The account of what other machines have sent.
extension TransferService {
  /// - Parameter transfers: Those that the agent knows.
  func restoreVolumes(_ transfers: [Transfer]) {
    let stored = store.readVolumes()
    let received = transfers.filter { $0.direction == .receiving }
    let known = Set(received.lazy.filter { $0.state != .done }.map(\.id))
    volumes.withLock { volumes in
      volumes = stored ?? ReceivedVolumes(received)
      volumes.restore(known, at: Self.now)
    }
  }

  func changeVolumes(_ body: (inout ReceivedVolumes) -> Void) {
    let isChanged = volumes.withLock { volumes in
      let before = volumes
      body(&volumes)
      return volumes != before
    }
    if isChanged { saveVolumes() }
  }

  func saveVolumes() { store.save(volumes.withLock(\.self)) }

  /// What is done or forgotten does not go on.
  func closeVolumes(of effects: [TransferTable.Effect]) {
    let ended = effects.compactMap { effect -> ActivityID? in
      switch effect {
      case .save(let id): table[id].flatMap { $0.direction == .receiving && $0.state == .done ? id : nil }
      case .erase(let id): id
      default: nil
      }
    }
    guard !ended.isEmpty else { return }
    changeVolumes { volumes in
      for id in ended { volumes.close(id, at: Self.now) }
    }
  }
}
