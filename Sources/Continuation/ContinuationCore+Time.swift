import Activity
import PeerProtocol

/// Everything that waits, and how long.
extension ContinuationCore {
  mutating func passTime(_ time: Time) {
    perform(local.handle(.wake, at: time))
    for (id, fetch) in fetching where fetch.deadline <= time.instant {
      fetching[id] = nil
      let reason: Reason = fetch.request == nil ? .peerUnreachable : .peerTimedOut
      if let client = fetch.client { effects.append(.fail(client, reason)) }
    }
    retryFetches(time)
    for (token, waiting) in waitingStreams where waiting.deadline <= time.instant {
      waitingStreams[token] = nil
      refuse(waiting.stream, .appTimedOut)
    }
    for (stream, opening) in openingStreams where opening.deadline <= time.instant {
      openingStreams[stream] = nil
      refuse(stream, .peerTimedOut)
      effects.append(.fail(opening.client, .peerTimedOut))
    }
    for peer in peers.unconfirmed(at: time.instant) { change(peer) { $0.dropUnconfirmed() } }
  }

  func nextDeadline(_ time: Time) -> ContinuousClock.Instant? {
    var deadlines: [ContinuousClock.Instant] = []
    if let deadline = local.deadline(time) { deadlines.append(deadline) }
    deadlines += fetching.values.map(\.deadline) + fetching.values.compactMap(\.retry)
    deadlines += waitingStreams.values.map(\.deadline)
    deadlines += openingStreams.values.map(\.deadline)
    if let deadline = peers.deadline { deadlines.append(deadline) }
    return deadlines.min()
  }
}
