// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// What a machine asks for through the stream of a copy: one line (ActivityTypes.md, "The clipboard").
package struct ClipboardRequest: Equatable, Sendable {
  package let type: MediaType

  package init(_ type: MediaType) { self.type = type }

  /// The line, with its end.
  package var line: [UInt8] {
    JSON.object(["get": "clipboard", "type": .string(type.description)]).bytes + [0x0A]
  }

  /// - Parameter line: Without its end. Nil if it is something else.
  package init?(line: some Collection<UInt8>) {
    guard line.count < 4096, let members = (try? JSON(parsing: line, depth: 4))?.object,
      members["get"]?.string == "clipboard", let type = members["type"]?.string.flatMap(MediaType.init)
    else { return nil }
    self.type = type
  }
}
