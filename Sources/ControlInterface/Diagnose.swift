import Activity
import JSONCoding
import Varlink

/// Checks everything on the way from Avahi to an app's payload, and reports on each part. There is one reply for each
/// check, when the check ends. The last reply is that of the last check.
package enum Diagnose: Method {
  package static let name = "io.baton.Handoff.Diagnose"
  package static var requiredMode: Call.Mode? { .more }

  /// The checks, in this order.
  package enum Check: String, CaseIterable, Codable, Sendable {
    /// Whether the daemon can be reached. Clients report this themselves.
    case daemon
    case team
    case certificate
    case bus
    case avahi
    case interfaces
    case multicast
    /// Whether other machines can reach this one.
    case port
    /// Whether the servers where teams meet accept this machine.
    case rendezvous
    /// Whether this machine can reach another one.
    case peer
    case clock
    /// What became of the user's last continuations.
    case continuation
    /// Whether apps on this machine take what others offer.
    case application
    /// Whether what the user does on this machine is offered.
    case offer
    /// What the user's search index keeps. Clients report this and the following ones themselves.
    case search
    /// Whether a browser of the user hands over pages.
    case browser
    /// Whether the user's shell hands over the directory.
    case shell
    /// Whether an editor of the user hands over positions in files.
    case editor
    /// Whether the desktop's clipboard is shared with other machines, if the user wants that.
    case clipboard
    /// Whether files can arrive, and whether some wait for a machine that was removed.
    case files
    /// Whether the desktop shows notifications.
    case notifications
  }

  package enum Outcome: String, CaseIterable, Codable, Sendable {
    case passed, failed
    /// The check was impossible or unnecessary.
    case skipped
    /// Nothing is broken, but there is something to know.
    case note
  }

  package struct Parameters: Structure {
    /// A name, a Device ID or its first digits, or `HOST[:PORT]`. Nil for all machines of the user's teams.
    package let peer: String?

    package init(peer: String? = nil) { self.peer = peer }
  }

  /// What one check found.
  package struct Reply: Structure {
    package let check: Check
    package let outcome: Outcome
    package let reason: Reason?
    /// What was seen, for people. It may contain text from other machines.
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
  }
}
