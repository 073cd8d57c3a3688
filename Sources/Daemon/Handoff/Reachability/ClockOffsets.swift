// SPDX-License-Identifier: Apache-2.0

import Activity

/// How far the clocks of peers are ahead of this machine's, in seconds, by what each has said in its last session. What
/// they said may be wrong, and so may this machine's clock.
package struct ClockOffsets {
  private var offsets: [PeerID: Int64] = [:]

  package init() {}

  /// - Parameters:
  ///   - time: What the peer's clock shows, in seconds since 1970-01-01 00:00:00 UTC; nil if the peer does not say it.
  ///   - date: What this machine's clock shows.
  package mutating func said(_ time: UInt64?, by peer: PeerID, at date: Int64) {
    offsets[peer] = time.flatMap(Int64.init(exactly:)).map { $0 &- date }
  }

  package mutating func forget(_ peer: PeerID) { offsets[peer] = nil }

  /// How far the peer's clock may be ahead. If the peer was met, it is what the peer said. Otherwise it is nothing, or
  /// what the team's other devices say.
  package func candidates(of peer: PeerID) -> [Int64] { offsets[peer].map { [$0] } ?? candidates(in: peer.team) }

  /// How far the clock of a device of the team may be ahead.
  package func candidates(in team: TeamID) -> [Int64] { [0, best(in: team)] }

  /// How far the peer's clock is most likely ahead.
  package func best(of peer: PeerID, isSecondTry: Bool = false) -> Int64 {
    offsets[peer] ?? best(in: peer.team, isSecondTry: isSecondTry)
  }

  /// How far the clocks of most of the team's devices are ahead: the median of what they said, by magnitude. A second
  /// try uses this machine's clock, and gets 0.
  package func best(in team: TeamID, isSecondTry: Bool = false) -> Int64 {
    let sorted = offsets.compactMap { $0.key.team == team ? $0.value : nil }.sorted { $0.magnitude < $1.magnitude }
    return isSecondTry || sorted.isEmpty ? 0 : sorted[(sorted.count - 1) / 2]
  }
}
