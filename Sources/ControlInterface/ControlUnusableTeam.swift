import JSONCoding
import Varlink

/// The type `UnusableTeam`: a team whose files on this machine cannot be used.
package struct ControlUnusableTeam: Structure {
  /// The team's name. Nil if that cannot be read either.
  package let name: String?
  /// The faulty file and what is wrong with it, for people.
  package let fault: String

  package init(name: String?, fault: String) {
    self.name = name
    self.fault = fault
  }
}
