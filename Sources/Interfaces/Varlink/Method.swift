// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A method of a Varlink interface: its name, its parameters and its reply.
package protocol Method {
  /// The name with its interface: `org.varlink.service.GetInfo`.
  static var name: String { get }
  associatedtype Parameters: Structure
  associatedtype Reply: Structure
  /// `.more` or `.upgrade` if the method cannot be called in any other way; otherwise, and by default, nil. A call in
  /// another mode is answered with `ExpectedMore` or `ExpectedUpgrade`.
  static var requiredMode: Call.Mode? { get }
}

extension Method {
  package static var requiredMode: Call.Mode? { nil }

  /// The name of the interface: `org.varlink.service`.
  package static var interface: String { String(name[..<(name.unicodeScalars.lastIndex(of: ".") ?? name.startIndex)]) }
}
