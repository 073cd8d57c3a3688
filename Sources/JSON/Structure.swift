/// An object with known members as a Swift value: the parameters of a Varlink call, a message between peers.
package protocol Structure: Equatable, Sendable {
  /// - Throws: `InvalidParameter` that names the member that is missing or of a wrong type.
  init(_ members: inout Members) throws(InvalidParameter)

  /// The members as JSON; the ones that have their default (nil, false) may be left out.
  var members: [String: JSON] { get }
}

/// A member that is missing, of a wrong type or not known, by its name.
package struct InvalidParameter: Error, Equatable, Sendable {
  package let parameter: String

  package init(_ parameter: String) { self.parameter = parameter }
}

/// Takes the members of an object one by one, and knows which were not asked for.
package struct Members {
  private var rest: [String: JSON]

  package init(_ object: [String: JSON]) { rest = object }

  /// Members that nobody took, in order: unknown ones.
  package var untaken: [String] { rest.keys.sorted() }

  /// The member's value converted by `convert`; nil where it is absent or null.
  ///
  /// - Throws: `InvalidParameter` where `convert` gives nil.
  package mutating func optional<T>(_ name: String, _ convert: (JSON) -> T?) throws(InvalidParameter) -> T? {
    guard let value = rest.removeValue(forKey: name), !value.isNull else { return nil }
    guard let converted = convert(value) else { throw InvalidParameter(name) }
    return converted
  }

  /// - Throws: `InvalidParameter` where the member is absent, null or cannot be converted.
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

  /// None where the member is absent.
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
  /// From an object; unknown members are ignored. Nil where something is missing or of a wrong type.
  package init?(json: JSON) {
    guard let object = json.object else { return nil }
    var members = Members(object)
    do { try self.init(&members) } catch { return nil }
  }

  package var json: JSON { .object(members) }
}

/// No parameters.
package struct Nothing: Structure {
  package init() {}
  package init(_ members: inout Members) throws(InvalidParameter) {}
  package var members: [String: JSON] { [:] }
}
