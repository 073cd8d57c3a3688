import JSONCoding
import Varlink

/// Withdraws and forgets what was copied on this machine.
package enum ClearCopy: Method {
  package static let name = "io.baton.Clipboard.Clear"

  package struct Parameters: Structure {
    /// The desktop's clipboard is empty, says a program that watches it.
    @Coded<FalseByDefault> package var watched: Bool

    package init(watched: Bool = false) { self.watched = watched }
  }

  package typealias Reply = Nothing
}
