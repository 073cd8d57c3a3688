// SPDX-License-Identifier: Apache-2.0

import Activity

/// The peers that can be met at relays, and those whose sessions go through one.
extension ReachabilityCore {
  mutating func setCanMeet(_ id: PeerID, _ canMeet: Bool, _ now: ContinuousClock.Instant) {
    guard let peer = peers[id], peer.canMeet != canMeet else { return }
    peers[id]?.canMeet = canMeet
    guard canMeet else {
      peers[id]?.attempt?.askAt = nil
      peers[id]?.attempt?.meetAt = nil
      return
    }
    guard peer.readySince == nil, peer.openings == 0, !peer.isIdle else { return }
    if let attempt = peer.attempt {
      if !attempt.isMeeting { helpLater(id, now) }
    } else {
      // What has failed until now may succeed there.
      let due = now + soon(id)
      peers[id]?.due = min(peer.due ?? due, due)
    }
  }

  /// Lets the attempt that is under way ask for more than addresses, as one that begins does.
  mutating func helpLater(_ id: PeerID, _ now: ContinuousClock.Instant) {
    guard let peer = peers[id], let attempt = peer.attempt, peer.canMeet else { return }
    peers[id]?.attempt?.askAt = max(attempt.begin + Limits.relayAskTime, now)
    peers[id]?.attempt?.meetAt = max(attempt.begin + Limits.relayPatience, now)
  }

  /// Does more for an attempt that has not led to a session by now.
  mutating func helpAttempt(_ id: PeerID, _ now: ContinuousClock.Instant) {
    if let askAt = peers[id]?.attempt?.askAt, askAt <= now {
      peers[id]?.attempt?.askAt = nil
      effects.append(.askToDial(id))
    }
    if let meetAt = peers[id]?.attempt?.meetAt, meetAt <= now { meet(id) }
  }

  mutating func meet(_ id: PeerID) {
    peers[id]?.attempt?.meetAt = nil
    peers[id]?.attempt?.askAt = nil
    peers[id]?.attempt?.isMeeting = true
    effects.append(.meet(id))
  }

  mutating func meetingFailed(_ id: PeerID, _ reason: Reason, _ now: ContinuousClock.Instant) {
    guard peers[id]?.attempt?.isMeeting == true else { return }
    peers[id]?.attempt?.isMeeting = false
    note(id, reason)
    failIfOver(id, now)
  }

  /// Looks for a direct path again after a pause, while the session goes through a relay.
  mutating func leaveRelayLater(_ id: PeerID, _ now: ContinuousClock.Instant) {
    let jitter = 0.5 + random() / 2
    let pause = peers[id]?.leavingRelay.next(jitter: jitter)
    peers[id]?.due = pause.map { now + $0 }
  }
}
