// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// Where a team meets, as this machine sees it.
  package struct Rendezvous: Equatable, Sendable {
    package enum State: Equatable, Sendable {
      /// The configuration says no.
      case off
      case connecting
      case ready
      /// - Parameter isRefusal: Whether the server was reached and did not accept this machine.
      case failed(String, isRefusal: Bool)
    }

    package let team: String
    package let server: String
    package let state: State
    /// The names of the other devices that are there.
    package let devices: [String]
    /// The relays that could not be used, and why.
    package let relays: [(relay: String, why: String)]

    package init(
      team: String,
      server: String,
      state: State,
      devices: [String] = [],
      relays: [(relay: String, why: String)] = []
    ) {
      (self.team, self.server, self.state, self.devices) = (team, server, state, devices)
      self.relays = relays
    }

    package static func == (left: Rendezvous, right: Rendezvous) -> Bool {
      left.team == right.team && left.server == right.server && left.state == right.state
        && left.devices == right.devices && left.relays.elementsEqual(right.relays) { $0 == $1 }
    }
  }

  /// What there is to say about where the user's teams meet.
  ///
  /// - Parameter all: The teams that do not only meet on their networks.
  package static func rendezvous(_ all: [Rendezvous]) -> [Finding] {
    guard all.isEmpty else { return all.flatMap(findings) }
    return [Finding(.rendezvous, .skipped, localized("Your teams don't use a server."))]
  }

  private static func findings(_ rendezvous: Rendezvous) -> [Finding] {
    [server(rendezvous)]
      + rendezvous.relays.sorted { $0.relay < $1.relay }.map { relay, why in
        Finding(
          .rendezvous,
          .note,
          localized("Couldn't use the relay \(relay): \(why)."),
          advice: localized(
            """
            Check that the relay is running (`sudo baton-rendezvous status` there), and that no firewall keeps this \
            machine from connecting to it.
            """
          )
        )
      }
  }

  private static func server(_ rendezvous: Rendezvous) -> Finding {
    let (team, server) = (rendezvous.team, rendezvous.server)
    switch rendezvous.state {
    case .off:
      return Finding(
        .rendezvous,
        .note,
        localized("This machine doesn't use \(server), because batond.conf has Rendezvous=no.")
      )
    case .connecting:
      return Finding(.rendezvous, .note, localized("This machine is connecting to \(server) for the team \(team)."))
    case .ready:
      let others =
        rendezvous.devices.isEmpty
        ? localized("No other machine is connected to it.")
        : localized("Also connected to it: \(list(rendezvous.devices)).")
      let detail = localized("This machine is connected to \(server) for the team \(team).")
      return Finding(.rendezvous, .passed, "\(detail) \(others)")
    case .failed(let why, let isRefusal):
      return Finding(
        .rendezvous,
        .failed,
        localized("Can't use \(server) for the team \(team): \(why)."),
        reason: isRefusal ? .rendezvousRefused : .rendezvousUnreachable,
        advice: isRefusal
          ? localized(
            """
            An admin machine of the team renews this one's access when the two are connected, on the same network or \
            over a VPN.
            """
          )
          : localized(
            """
            Check that the server is running (`sudo baton-rendezvous status` there), and that no firewall keeps this \
            machine from connecting to it.
            """
          )
      )
    }
  }
}
