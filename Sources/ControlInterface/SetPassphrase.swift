import JSONCoding
import Varlink

/// Seals the team's key with another passphrase, or removes the passphrase.
package enum SetPassphrase: Method {
  package static let name = "io.baton.Handoff.SetPassphrase"
  package typealias Parameters = KeyParameters
  package typealias Reply = TeamReply
}
