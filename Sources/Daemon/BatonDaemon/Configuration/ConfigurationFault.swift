// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a configuration, and where.
package struct ConfigurationFault: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// A section or key that this version does not know. It is ignored, so that a file for a later or an earlier
    /// version also works.
    case unknown
    /// A value, a line or a file that cannot be used. batond does not start, because it might do what nobody asked for.
    case wrong
  }

  package let kind: Kind
  /// A file and line, a file, or a flag.
  package let place: String
  package let message: String

  package init(_ kind: Kind, place: String, message: String) {
    self.kind = kind
    self.place = place
    self.message = message
  }

  package var description: String { "\(place): \(message)" }
}
