import JSONCoding
import Varlink

/// Creates a code that admits one machine to a team.
package enum InviteDevice: Method {
  package static let name = "io.baton.Handoff.InviteDevice"

  package struct Parameters: Structure {
    /// The team's ID. Nil is allowed if the user has only one team.
    package let team: String?

    package init(team: String? = nil) { self.team = team }
  }

  package struct Reply: Structure {
    /// The code, which is a secret until it is used or expires.
    package let code: String
    /// Seconds since 1970-01-01 00:00:00 UTC.
    package let expires: Double

    package init(code: String, expires: Double) {
      self.code = code
      self.expires = expires
    }
  }
}
