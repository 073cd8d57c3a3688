import Activity
import JSON
import Varlink

/// Walks the way from Avahi to an app's payload, and says of each part of it whether it is as it should be. One reply for
/// each check, as it ends; the last one is that of the last check.
package enum Diagnose: Method {
  package static let name = "io.baton.Handoff.Diagnose"
  package static var requiredMode: Call.Mode? { .more }

  /// What is looked at, in this order.
  package enum Check: String, CaseIterable, Sendable {
    /// Whether the daemon can be reached: clients say so themselves.
    case daemon
    case team
    case certificate
    case bus
    case avahi
    case interfaces
    case multicast
    /// Whether other machines can reach this one.
    case port
    /// Whether this machine can reach another one.
    case peer
    case clock
    /// What became of the user's last continuations.
    case continuation
    /// Whether apps here take what others offer.
    case application
    /// Whether what the user does here is offered.
    case offer
  }

  package enum Outcome: String, CaseIterable, Sendable {
    case passed, failed
    /// It could not be looked at, or need not.
    case skipped
    /// Nothing is broken, and somebody may want to know.
    case note
  }

  package struct Parameters: Structure {
    /// Name, Device ID or its first digits, or `HOST[:PORT]`; nil for all machines of the user's teams.
    package let peer: String?

    package init(peer: String? = nil) { self.peer = peer }

    package init(_ members: inout Members) throws(InvalidParameter) { peer = try members.optional("peer", \.string) }

    package var members: [String: JSON] { peer.map { ["peer": .string($0)] } ?? [:] }
  }

  /// What one check found.
  package struct Reply: Structure {
    package let check: Check
    package let outcome: Outcome
    package let reason: Reason?
    /// What was seen, for people; text of other machines may be in it.
    package let detail: String
    /// What to do about it, for people.
    package let advice: String?

    package init(_ check: Check, _ outcome: Outcome, _ detail: String, reason: Reason? = nil, advice: String? = nil) {
      self.check = check
      self.outcome = outcome
      self.reason = reason
      self.detail = detail
      self.advice = advice
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      check = try members.choice("check")
      outcome = try members.choice("outcome")
      reason = try members.reason("reason")
      detail = try members.required("detail", \.string)
      advice = try members.optional("advice", \.string)
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = [
        "check": .string(check.rawValue), "outcome": .string(outcome.rawValue), "detail": .string(detail),
      ]
      members["reason"] = reason.map { .string($0.rawValue) }
      members["advice"] = advice.map(JSON.string)
      return members
    }
  }
}
