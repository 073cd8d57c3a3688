// SPDX-License-Identifier: Apache-2.0

/// An object with known members as a Swift value, such as the parameters of a Varlink call or a message between peers.
///
/// The compiler makes the coding from the stored properties. The key of a member is the property's name. A member whose
/// property is optional may be absent or null, and is left out if it is nil. ``Coded`` names any other coding.
package protocol Structure: Codable, Equatable, Sendable {}

/// The name of a member that is missing, unknown or of a wrong type.
package struct InvalidParameter: Error, Equatable, Sendable {
  package let parameter: String

  package init(_ parameter: String) { self.parameter = parameter }
}

extension Structure {
  /// Creates the structure from the members of an object.
  ///
  /// - Parameter refusesUnknown: Whether unknown members are refused. Otherwise, they are ignored.
  /// - Throws: `InvalidParameter`, which names the first member that is missing or has a wrong type, or else an unknown
  ///   one.
  package init(members: [String: JSON], refusesUnknown: Bool = false) throws(InvalidParameter) {
    let decoder = ValueDecoder(.object(members), notesNames: refusesUnknown)
    do { try self.init(from: decoder) } catch { throw error as? InvalidParameter ?? InvalidParameter("") }
    if let known = decoder.names, let unknown = members.keys.filter({ !known.contains($0) }).min() {
      throw InvalidParameter(unknown)
    }
  }

  /// Creates the structure from an object, and ignores unknown members. Nil if a member is missing or has a wrong type.
  package init?(json: JSON) {
    guard let members = json.object, let value = try? Self(members: members) else { return nil }
    self = value
  }

  /// The members as JSON.
  package var members: [String: JSON] {
    let encoder = ValueEncoder()
    do { try encode(to: encoder) } catch { preconditionFailure("\(Self.self) cannot be encoded: \(error)") }
    return encoder.members
  }

  package var json: JSON { .object(members) }
}

/// The structure without members.
package struct Nothing: Structure {
  package init() {}
}
