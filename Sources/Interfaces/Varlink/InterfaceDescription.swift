// SPDX-License-Identifier: Apache-2.0

/// An interface: its name, and its definition in Varlink's interface definition language.
package struct InterfaceDescription: Equatable, Sendable {
  /// In reverse domain notation: `org.varlink.service`.
  package let name: String
  package let text: String

  /// - Parameter text: The whole definition. Traps if it is not a definition of `name`.
  package init(name: String, text: String) {
    precondition(
      text.utf8.split(separator: UInt8(ascii: "\n")).contains { $0.elementsEqual("interface \(name)".utf8) },
      "The definition is not one of \(name)"
    )
    self.name = name
    self.text = text
  }
}
