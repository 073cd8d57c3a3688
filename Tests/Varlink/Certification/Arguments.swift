import JSONCoding
import Varlink

/// Parameters that are taken as they are, because the certification compares whole messages.
struct Arguments: Structure {
  let members: [String: JSON]

  init(_ members: [String: JSON]) { self.members = members }

  init(_ members: inout Members) throws(InvalidParameter) {
    var taken: [String: JSON] = [:]
    for name in members.untaken { taken[name] = try members.optional(name) { $0 } }
    self.members = taken
  }
}
