// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// Another machine of the user's teams.
  package struct Peer: Equatable, Sendable {
    package let device: String
    package let isConnected: Bool
    /// The current address, or the one where it was last reached.
    package let address: String?
    /// Why it is not connected.
    package let reason: Reason?
    /// Whether one of its adverts is seen.
    package let isSeen: Bool
    /// How the session reaches it, such as `a relay, 40 ms`; nil if it is not connected.
    package let path: String?
    /// What was tried in the last attempt, and why each failed.
    package let tried: [String]
    /// Where it is announced, though not on the network where this machine sees it.
    package let elsewhere: [String]
    /// Whether it was asked something and did not reply.
    package let isSilent: Bool
    /// How far its clock is ahead, in seconds; nil if it has not said.
    package let clockSkew: Double?

    package init(
      device: String,
      isConnected: Bool,
      address: String? = nil,
      reason: Reason? = nil,
      isSeen: Bool = true,
      path: String? = nil,
      tried: [String] = [],
      elsewhere: [String] = [],
      isSilent: Bool = false,
      clockSkew: Double? = nil
    ) {
      self.device = device
      self.isConnected = isConnected
      self.address = address
      self.reason = reason
      self.isSeen = isSeen
      self.path = path
      self.tried = tried
      self.elsewhere = elsewhere
      self.isSilent = isSilent
      self.clockSkew = clockSkew
    }
  }

  /// - Parameter isExpected: Whether the user named it, or no other machine is connected. Any other that is not seen
  ///   may be switched off.
  package static func peer(_ peer: Peer, isExpected: Bool = true) -> Finding {
    let place =
      peer.address.map { address in " (" + ([address] + [peer.path].compactMap(\.self)).joined(separator: ", ") + ")" }
      ?? ""
    let tried = peer.tried.isEmpty ? "" : " " + localized("Tried: \(peer.tried.joined(separator: "; ")).")
    if peer.isConnected, peer.isSilent {
      return Finding(
        .peer,
        .failed,
        localized("\(peer.device)\(place) is online, but isn't responding."),
        reason: .peerTimedOut,
        advice: advice(.peerTimedOut)
      )
    }
    if peer.isConnected { return Finding(.peer, .passed, localized("\(peer.device)\(place) is online.") + tried) }
    switch peer.reason {
    case .sessionIdle:
      return Finding(.peer, .note, localized("\(peer.device) was disconnected to make room for busier machines."))
    case .shuttingDown where !peer.isSeen:
      return Finding(.peer, .note, localized("The daemon on \(peer.device) was stopped."), reason: .shuttingDown)
    case .teamLeft:
      return Finding(.peer, .note, localized("\(peer.device) has left the team."), reason: .teamLeft)
    case .peerUnreachable where !isExpected && !peer.isSeen, .peerTimedOut where !isExpected && !peer.isSeen:
      return Finding(
        .peer,
        .note,
        localized("\(peer.device)\(place) is offline and not visible. It may be turned off."),
        reason: peer.reason
      )
    case .peerUnreachable where !peer.elsewhere.isEmpty:
      return Finding(
        .peer,
        .failed,
        localized(
          """
          \(peer.device) is offline. It's announced at \(list(peer.elsewhere)), but that address isn't on the network \
          the announcement came from. Anyone on that network could have sent it, so Baton connects to the address only \
          if you add it.
          """
        ) + tried,
        reason: .peerUnreachable,
        advice:
          localized(
            """
            If that's an address of \(peer.device), run `baton machine add \(peer.elsewhere[0])`. If it doesn't respond, \
            allow TCP port 22866 between the two networks in the router, or use a VPN or a server of your own.
            """
          )
      )
    default:
      let reason = peer.reason ?? .peerTimedOut
      return Finding(
        .peer,
        .failed,
        localized("\(peer.device)\(place) is offline. \(reason.explanation)") + tried,
        reason: reason,
        advice: advice(reason)
      )
    }
  }

  /// No machine is connected, and this one has refused some. That a removed machine is refused is no problem here.
  ///
  /// - Parameter refusals: Why, and how long ago that was, in seconds.
  /// - Returns: Nil if none of them says why.
  package static func refused(_ refusals: [Reason: Double]) -> Finding? {
    let telling: [Reason] = [.certificateExpired, .versionMismatch, .clockSkewed]
    guard let reason = telling.first(where: { refusals[$0] != nil }), let age = refusals[reason] else { return nil }
    return Finding(
      .peer,
      .failed,
      localized("This machine refused a connection from another one \(ago(age)). \(reason.explanation)"),
      reason: reason,
      advice: advice(reason)
    )
  }

  /// No other machine is known, or none that fits.
  ///
  /// - Parameter text: What the user typed for it; nil if any machine will do.
  package static func noPeer(_ text: String?) -> Finding {
    let first =
      text == nil
      ? localized(
        "If this is the team's only machine, run `baton team invite` here and `baton team join` on another one."
      )
      : localized("To see which machines are known, run `baton machines`.")
    return Finding(
      .peer,
      .failed,
      text.map { localized("No machine in the team is known as \($0).") }
        ?? localized("No other machine in the team is known."),
      reason: .peerNotFound,
      advice: first + " "
        + localized(
          """
          Otherwise, check that the other machine is on, that batond is running there and that it's in the team \
          (`baton team list`). If so, multicast traffic doesn't get from one to the other. To try the machine's \
          address, run `baton doctor HOST`.
          """
        )
    )
  }

  /// The result of connecting to an address that the user typed.
  package enum Reached: Equatable, Sendable {
    /// - Parameter versions: The protocol versions that the other side speaks.
    case device(name: String, versions: ClosedRange<UInt64>, clockSkew: Double?)
    case thisMachine
    case failed(Reason)
    /// With why there is no connection.
    case unreachable(String)
  }

  /// - Parameters:
  ///   - address: What the user typed.
  ///   - versions: The protocol versions that this machine speaks.
  package static func address(_ address: String, _ reached: Reached, versions: ClosedRange<UInt64>) -> Finding {
    switch reached {
    case .device(let name, let theirs, _) where theirs.overlaps(versions):
      Finding(.peer, .passed, localized("\(address) is \(name), and it's responding."))
    case .device(let name, _, _):
      Finding(
        .peer,
        .failed,
        localized("\(address) is \(name). \(Reason.versionMismatch.explanation)"),
        reason: .versionMismatch,
        advice: advice(.versionMismatch)
      )
    case .thisMachine: Finding(.peer, .note, localized("\(address) is this machine."))
    case .unreachable(let obstacle):
      Finding(
        .peer,
        .failed,
        localized("Can't reach \(address): \(obstacle)."),
        reason: .peerUnreachable,
        advice: advice(.peerUnreachable)
      )
    case .failed(let reason):
      Finding(.peer, .failed, "\(address): \(reason.explanation)", reason: reason, advice: advice(reason))
    }
  }

  /// - Parameter skews: The devices, and how far their clocks are ahead, in seconds.
  package static func clock(_ skews: [(device: String, skew: Double)]) -> Finding {
    guard let worst = skews.max(by: { abs($0.skew) < abs($1.skew) }) else {
      return Finding(.clock, .skipped, localized("No machine has reported its time."))
    }
    guard abs(worst.skew) > Limits.clockTolerance else {
      return Finding(.clock, .passed, localized("The clocks agree."))
    }
    let minutes = Int(clamping: Int64(exactly: (abs(worst.skew) / 60).rounded()) ?? .max)
    return Finding(
      .clock,
      .failed,
      worst.skew > 0
        ? localized(
          minutes,
          one: "The clock on \(worst.device) is \(minutes) minute ahead of this machine's.",
          other: "The clock on \(worst.device) is \(minutes) minutes ahead of this machine's."
        )
        : localized(
          minutes,
          one: "The clock on \(worst.device) is \(minutes) minute behind this machine's.",
          other: "The clock on \(worst.device) is \(minutes) minutes behind this machine's."
        ),
      reason: .clockSkewed,
      advice: localized("Set both clocks from the network: `sudo timedatectl set-ntp true`.")
    )
  }

  /// What the user can do about a machine that cannot be reached.
  static func advice(_ reason: Reason) -> String {
    switch reason {
    case .peerUnreachable:
      localized(
        "Check that it's turned on, and on this network. Its firewall must allow the TCP port that `baton status` shows there."
      )
    case .peerTimedOut, .handshakeTimedOut:
      localized("It may be asleep or overloaded. Try again, and check its journal.")
    case .peerNotFound: localized("A different machine is responding there. Check the address.")
    case .certificateExpired:
      localized("Check both clocks. If they're right, have the machine leave the team and join it again.")
    case .certificateRevoked: localized("If it was removed from the team by mistake, invite it again.")
    case .certificateInvalid, .certificateMissing: localized("Have that machine leave the team and join it again.")
    case .otherTeam:
      localized(
        "Add that machine to this team, or this machine to that team, with `baton team invite` and `baton team join`."
      )
    case .notTLS:
      localized(
        "A program other than batond is listening there. To see batond's port, run `baton status` on that machine."
      )
    case .versionMismatch: localized("Upgrade Baton on the machine with the older version.")
    case .addressInvalid: localized("Use HOST, HOST:PORT or [IPV6]:PORT.")
    case .tooManyConnections, .duplicateSession, .shuttingDown: localized("Try again.")
    default: localized("Check the journals of both machines: `sudo journalctl -u batond`.")
    }
  }
}
