/// What is wrong with a configuration, and where.
package struct ConfigurationFault: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// A section or key that this version does not know: it is left out, so that a file of a later version serves, too.
    case unknown
    /// A value, a line or a file that cannot be used: batond does not start, as it would do what nobody asked for.
    case wrong
  }

  package let kind: Kind
  /// File and line, file, or flag.
  package let place: String
  package let message: String

  package init(_ kind: Kind, place: String, message: String) {
    self.kind = kind
    self.place = place
    self.message = message
  }

  package var description: String { "\(place): \(message)" }
}
