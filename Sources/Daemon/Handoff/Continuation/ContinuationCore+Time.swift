// SPDX-License-Identifier: Apache-2.0

import Activity

/// Everything that waits, and how long.
extension ContinuationCore {
  mutating func passTime(_ time: Time) {
    perform(local.handle(.wake, at: time))
    var silent = fetches.silentPeers(at: time.instant)
    for (client, reason) in fetches.endLate(at: time.instant) { effects.append(.fail(client, reason)) }
    retryFetches(time)
    for stream in waitingStreams.removeLate(at: time.instant) { refuse(stream, .appTimedOut) }
    for opening in openingStreams.removeLate(at: time.instant) {
      refuse(opening.id, .peerTimedOut)
      effects.append(.fail(opening.client, .peerTimedOut))
      silent.insert(opening.id.peer)
    }
    for peer in silent { effects.append(.probe(peer)) }
    opened.removeLate(at: time.instant)
    for peer in peers.unconfirmed(at: time.instant) { change(peer) { $0.dropUnconfirmed() } }
  }

  func nextDeadline(_ time: Time) -> ContinuousClock.Instant? {
    [
      local.deadline(time), fetches.deadline, waitingStreams.deadline, openingStreams.deadline, peers.deadline,
      opened.deadline,
    ].compactMap(\.self).min()
  }
}
