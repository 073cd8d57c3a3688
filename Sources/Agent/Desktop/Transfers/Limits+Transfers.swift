// SPDX-License-Identifier: Apache-2.0

import Activity

/// The limits of transfers.
extension Limits {
  /// The maximum number of files, folders and links in one transfer. At most some 100 MB of memory describe them.
  package static let transferEntries = 500_000
  /// The maximum length of all paths of a transfer, in bytes.
  package static let transferPathsLength = 64 * 1024 * 1024
  /// The number of bytes that one hash covers when a transfer goes on.
  package static let transferBlockLength = 1024 * 1024
  /// The maximum number of hashes in one frame.
  package static let transferHashes = 8192
  /// The maximum number of omissions that the receiver is told by name. All are counted.
  package static let transferOmissions = 1000
  /// How often a file is read again because it was changed.
  package static let transferAttempts = 3
  /// After how many bytes the origin says that it is there, while it hashes what the receiver has.
  package static let transferSignInterval: UInt64 = 64 << 20

  /// By how many bytes all files together can grow after they were announced.
  package static func transferGrowth(of size: UInt64) -> UInt64 { size / 10 + (16 << 20) }
}

extension Limits {
  /// The maximum number of transfers that a device is offered at the same time; below
  /// `LocalActivities.sentActivitiesPerPeer`.
  package static let offeredTransfersPerDevice = 6
  /// The maximum number of paths that one transfer begins with. What is in the folders among them is not counted.
  package static let filesPerTransfer = 1000
  /// The maximum number of transfers in the outbox; below `LocalActivities.sentActivitiesPerUser`, so that no machine
  /// that is away takes another one's place.
  package static let outgoingTransfers = 100
  /// The maximum number of transfers from other machines that are not over, and of one machine.
  package static let incomingTransfers = 48
  package static let incomingTransfersPerDevice = 12
  /// The number of digits of a transfer's ID that lists show, and that a person gives to accept it.
  package static let shownTransferDigits = 8
  /// The maximum number of transfers that arrive at the same time, and of one machine. Each has a thread.
  package static let runningTransfers = 4
  package static let runningTransfersPerDevice = 2
  /// The maximum number of transfers that are over and still listed.
  package static let finishedTransfers = 100
  /// For how long those that are over are listed, in seconds. What has arrived of a transfer that failed stays as long.
  package static let finishedTransferTime = 7.0 * 24 * 60 * 60
  /// For how long a transfer waits for a machine that is away, on either side, in seconds.
  package static let outboxTime = 7.0 * 24 * 60 * 60
  /// The longest pause between two attempts at what is still offered, in seconds.
  package static let longestTransferPause = 60.0
  /// The maximum number of omissions that are kept with a transfer.
  package static let shownOmissions = 20
}
