/// An object with known members as a Swift value, such as the parameters of a Varlink call or a message between peers.
package protocol Structure: Equatable, Sendable {
  /// - Throws: `InvalidParameter`, which names the member that is missing or has a wrong type.
  init(_ members: inout Members) throws(InvalidParameter)

  /// The members as JSON. Members with their default value (nil, false) may be absent.
  var members: [String: JSON] { get }
}

/// The name of a member that is missing, unknown or of a wrong type.
package struct InvalidParameter: Error, Equatable, Sendable {
  package let parameter: String

  package init(_ parameter: String) { self.parameter = parameter }
}

/// Takes the members of an object one by one, and knows which ones were not requested.
package struct Members {
  private var rest: [String: JSON]

  package init(_ object: [String: JSON]) { rest = object }

  /// The members that were not taken, and so are unknown, in order.
  package var untaken: [String] { rest.keys.sorted() }

  /// Returns the member's value converted by `convert`. Nil if it is absent or null.
  ///
  /// - Throws: `InvalidParameter` if `convert` returns nil.
  package mutating func optional<T>(_ name: String, _ convert: (JSON) -> T?) throws(InvalidParameter) -> T? {
    guard let value = rest.removeValue(forKey: name), !value.isNull else { return nil }
    guard let converted = convert(value) else { throw InvalidParameter(name) }
    return converted
  }

  /// - Throws: `InvalidParameter` if the member is absent, null or cannot be converted.
  package mutating func required<T>(_ name: String, _ convert: (JSON) -> T?) throws(InvalidParameter) -> T {
    guard let value = try optional(name, convert) else { throw InvalidParameter(name) }
    return value
  }

  package mutating func structure<T: Structure>(_ name: String, _: T.Type = T.self) throws(InvalidParameter) -> T {
    try required(name) { T(json: $0) }
  }

  package mutating func structures<T: Structure>(_ name: String, _: T.Type = T.self) throws(InvalidParameter) -> [T] {
    try required(name, Self.elements)
  }

  /// Returns an empty array if the member is absent.
  package mutating func structuresIfAny<T: Structure>(
    _ name: String,
    _: T.Type = T.self
  ) throws(InvalidParameter) -> [T] {
    try optional(name, Self.elements) ?? []
  }

  private static func elements<T: Structure>(_ value: JSON) -> [T]? {
    guard let elements = value.array else { return nil }
    let structures = elements.compactMap { T(json: $0) }
    return structures.count == elements.count ? structures : nil
  }
}

extension Structure {
  /// Creates the structure from an object, and ignores unknown members. Nil if a member is missing or has a wrong type.
  package init?(json: JSON) {
    guard let object = json.object else { return nil }
    var members = Members(object)
    do { try self.init(&members) } catch { return nil }
  }

  package var json: JSON { .object(members) }
}

/// The structure without members.
package struct Nothing: Structure {
  package init() {}
  package init(_ members: inout Members) throws(InvalidParameter) {}
  package var members: [String: JSON] { [:] }
}
