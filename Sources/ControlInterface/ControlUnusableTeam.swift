import JSON
import Varlink

/// The type `UnusableTeam`: a team whose files are on this machine and cannot be used.
package struct ControlUnusableTeam: Structure {
  /// Nil where that cannot be read either.
  package let name: String?
  /// The file that is at fault, and why; for people.
  package let fault: String

  package init(name: String?, fault: String) {
    self.name = name
    self.fault = fault
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    name = try members.optional("name", \.string)
    fault = try members.required("fault", \.string)
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = ["fault": .string(fault)]
    members["name"] = name.map(JSON.string)
    return members
  }
}
