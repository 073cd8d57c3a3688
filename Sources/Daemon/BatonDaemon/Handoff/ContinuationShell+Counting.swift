// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Handoff
import Systemd

/// What is counted and logged about continuations and streams. Logs identify them by ID, never by type or title.
extension ContinuationShell {
  /// The rate of log lines about one user's failed continuations. The unit may log 500 lines in 30 s.
  private static let userLogRate = TokenBucket.Rate(perSecond: 0.1, burst: 20)

  /// The counters that a user sees. Root and the user that runs the daemon see those of the whole machine. Others see
  /// those of their teams, and those that belong to no user.
  func counters(for user: UserID) -> Counters {
    guard user != 0, user != geteuid() else { return counters.counters }
    return counters.counters { mayUse($0, user) }
  }

  func count(_ event: ContinuationCore.Event) {
    switch event {
    case .teamsChanged(let teams): counters.keep(teams.keys)
    case .sessionReady(let peer, _, _): counters.count(.sessionsBegun, for: .team(peer.team))
    case .sessionEnded(let peer, let reason): counters.count(.sessionsEnded, reason, for: .team(peer.team))
    case .connectFailed(let peer, let reason): counters.count(.dialsFailed, reason, for: .team(peer.team))
    case .received(.offer, let peer): counters.count(.offersReceived, for: .team(peer.team))
    default: break
    }
  }

  /// - Parameter event: The event that caused the effect.
  func count(_ effect: ContinuationCore.Effect, of event: ContinuationCore.Event) {
    switch (effect, event) {
    case (.send(.offer, let peer), _): counters.count(.offersSent, for: .team(peer.team))
    case (.send(.failure(let failure), let peer), _):
      counters.count(.handOversRefused, failure.reason, for: .team(peer.team))
      log.debug(
        "Refused a fetch",
        ["peer": name(of: peer), "team": peer.team.description, "reason": failure.reason.rawValue]
      )
    case (.tell(_, .continued), .received(.continued(let message), let peer)):
      counters.count(.activitiesHandedOver, for: .team(peer.team))
      log.info(
        "Handed off an activity",
        ["peer": name(of: peer), "team": peer.team.description, "activity": message.activity.description]
      )
    case (.deliver(let client, _, _, _), _):
      // An activity of this machine is no continuation.
      guard let client = clients[client], let wanted = client.wanted, let peer = wanted.peer else { break }
      counters.count(.activitiesContinued, for: .team(peer.team))
      failures.succeeded(client.user, wanted.device)
      log.info(
        "Continued an activity",
        ["peer": wanted.device, "team": peer.team.description, "activity": wanted.activity.description]
      )
    case (.fail(let client, let reason), _):
      guard let client = clients[client], let wanted = client.wanted else { break }
      counters.count(.continuationsFailed, reason, for: audience(of: wanted.peer))
      failures.add(
        FailedContinuations.Entry(user: client.user, device: wanted.device, reason: reason, time: Loop.now)
      )
      say(
        "A continuation failed",
        [
          "peer": wanted.device, "team": wanted.peer?.team.description ?? "",
          "activity": wanted.activity.description, "reason": reason.rawValue,
        ],
        of: client.user
      )
    default: break
    }
  }

  /// Logs a line about a user's continuation, unless there were too many.
  private func say(_ message: String, _ fields: KeyValuePairs<String, String>, of user: UserID) {
    let now = Loop.now
    if failureLines[user] == nil { failureLines = failureLines.filter { !$0.value.isFull(at: now) } }
    log.info(
      message,
      fields,
      &failureLines[user, default: LineLimit(Self.userLogRate, at: now)],
      leftOut: "Suppressed lines about a user",
      ("user", "\(user)")
    )
  }

  // MARK: Streams

  func streamBegan(_ token: String, with peer: PeerID) {
    counters.count(.streamsBegun, for: .team(peer.team))
    peers.sayOfStream(
      "A stream began",
      ["peer": name(of: peer), "team": peer.team.description, "stream": token],
      with: peer
    )
  }

  /// - Parameter reason: Nil if both directions were complete.
  func streamEnded(_ token: String, with peer: PeerID, _ reason: Reason?) {
    if let reason {
      counters.count(.streamsBroken, reason, for: .team(peer.team))
    } else {
      counters.count(.streamsCompleted, for: .team(peer.team))
    }
    peers.sayOfStream(
      "A stream ended",
      [
        "peer": name(of: peer), "team": peer.team.description, "stream": token,
        "reason": reason?.rawValue ?? "complete",
      ],
      with: peer
    )
  }

  /// - Parameter peer: Nil if no machine offers the requested activity. Then only users who see the whole machine's
  ///   counters see it.
  private func audience(of peer: PeerID?) -> Tally.Audience { peer.map { .team($0.team) } ?? .root }

  /// The device's name if it is connected, otherwise its ID.
  private func name(of peer: PeerID) -> String {
    peers.entries[peer].flatMap { $0.connection == nil ? nil : $0.name } ?? peer.description
  }
}
