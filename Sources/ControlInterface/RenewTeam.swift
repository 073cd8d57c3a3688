import JSONCoding
import Varlink

/// Replaces a team with a new team that has its own key.
package enum RenewTeam: Method {
  package static let name = "io.baton.Handoff.RenewTeam"
  package typealias Parameters = KeyParameters

  package struct Reply: Structure {
    package let team: ControlTeam
    /// The ID of the team that was replaced.
    package let replaced: String
    /// The code with which the machines of the old team join. It is a secret until it expires.
    package let code: String
    /// Seconds since 1970-01-01 00:00:00 UTC.
    package let expires: Double

    package init(team: ControlTeam, replaced: String, code: String, expires: Double) {
      self.team = team
      self.replaced = replaced
      self.code = code
      self.expires = expires
    }
  }
}
