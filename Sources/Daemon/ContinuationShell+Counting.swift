import Activity
import Continuation
import ControlInterface
import EventLoop
import PeerProtocol
import Systemd

/// What is counted and logged of continuations and streams. Logs name them by ID, never by type or title.
extension ContinuationShell {
  func count(_ event: Continuation.Event) {
    switch event {
    case .sessionReady: counters.count(.sessionsBegun)
    case .sessionEnded(_, let reason): counters.count(.sessionsEnded, reason)
    case .connectFailed(_, let reason): counters.count(.dialsFailed, reason)
    case .received(.offer, _): counters.count(.offersReceived)
    default: break
    }
  }

  /// - Parameter event: What the effect came of.
  func count(_ effect: Continuation.Effect, of event: Continuation.Event) {
    switch (effect, event) {
    case (.send(.offer, _), _): counters.count(.offersSent)
    case (.send(.failure(let failure), let peer), _):
      counters.count(.handOversRefused, failure.reason)
      log?.debug(
        "Refused a fetch",
        ["peer": name(of: peer), "team": peer.team.description, "reason": failure.reason.rawValue]
      )
    case (.tell(_, .continued), .received(.continued(let message), let peer)):
      counters.count(.activitiesHandedOver)
      log?.info(
        "Handed an activity over",
        ["peer": name(of: peer), "team": peer.team.description, "activity": message.activity.description]
      )
    case (.deliver(let client, _, _), _):
      guard let client = self.client(client), let continuation = client.continuation else { break }
      counters.count(.activitiesContinued)
      failures.succeeded(client.user, continuation.device)
      log?.info(
        "Continued an activity",
        [
          "peer": continuation.device, "team": continuation.peer?.team.description ?? "",
          "activity": continuation.activity.description,
        ]
      )
    case (.fail(let client, let reason), _):
      guard let client = self.client(client), let continuation = client.continuation else { break }
      counters.count(.continuationsFailed, reason)
      failures.add(
        FailedContinuations.Entry(user: client.user, device: continuation.device, reason: reason, time: Loop.now)
      )
      log?.info(
        "A continuation failed",
        [
          "peer": continuation.device, "team": continuation.peer?.team.description ?? "",
          "activity": continuation.activity.description, "reason": reason.rawValue,
        ]
      )
    default: break
    }
  }

  // MARK: Streams

  func streamBegan(_ token: String, with peer: PeerID) {
    counters.streamBegan()
    log?.info(
      "A stream began",
      ["peer": name(of: peer), "team": peer.team.description, "stream": token]
    )
  }

  /// - Parameter reason: Nil where both directions were whole.
  func streamEnded(_ token: String, with peer: PeerID, _ reason: Reason?) {
    counters.streamEnded(reason)
    log?.info(
      "A stream ended",
      [
        "peer": name(of: peer), "team": peer.team.description, "stream": token,
        "reason": reason?.rawValue ?? "complete",
      ]
    )
  }

  /// The device's name, where it is connected.
  private func name(of peer: PeerID) -> String { peers.session(with: peer)?.hello?.device ?? peer.description }
}
