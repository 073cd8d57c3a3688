import JSONCoding
import Varlink

/// Offers content to the user's other machines, in place of what was copied before. Called with `upgrade`: then `size`
/// bytes follow, and the agent answers with one line.
package enum CopyContent: Method {
  package static let name = "io.baton.Clipboard.Copy"
  package static let requiredMode: Call.Mode? = .upgrade

  package struct Parameters: Structure {
    package let type: String
    @Coded<Count> package var size: Int
    /// The name or the ID of the only team that it is offered to. Nil for all teams of the user.
    package let team: String?
    /// It is a secret, so that it must not be copied.
    @Coded<FalseByDefault> package var sensitive: Bool
    /// A program that watches the desktop's clipboard has copied it, and no person.
    @Coded<FalseByDefault> package var watched: Bool

    package init(type: String, size: Int, team: String?, sensitive: Bool = false, watched: Bool = false) {
      self.type = type
      self.size = size
      self.team = team
      self.sensitive = sensitive
      self.watched = watched
    }
  }

  package typealias Reply = Nothing

  /// The line that follows the content.
  package struct Outcome: Structure {
    /// Whether the daemon offers it. If not, only this machine has it.
    package let offered: Bool

    package init(offered: Bool) { self.offered = offered }
  }
}
