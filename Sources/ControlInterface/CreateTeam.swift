import JSON
import Varlink

/// Makes a team with this machine as its first and its administrator's.
package enum CreateTeam: Method {
  package static let name = "io.baton.Handoff.CreateTeam"

  package struct Parameters: Structure {
    package let name: String

    package init(name: String) { self.name = name }

    package init(_ members: inout Members) throws(InvalidParameter) { name = try members.required("name", \.string) }

    package var members: [String: JSON] { ["name": .string(name)] }
  }

  package typealias Reply = TeamReply
}
