// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a distribution says of itself (os-release(5)).
package struct OSRelease: Equatable, Sendable {
  /// Such as `debian`. Without one, it's `linux`.
  package let id: String
  /// Such as `12`. Empty for a distribution without versions.
  package let version: String
  /// The name for people, such as `Debian GNU/Linux 12 (bookworm)`.
  package let name: String

  private static let nameLength = 128

  /// - Parameter text: The contents of the file. Lines that are no assignment are ignored.
  package init(_ text: String) {
    var values: [String: String] = [:]
    for line in text.splitScalars(where: { $0 == "\n" }) {
      let parts = line.trimmed.split(atScalar: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].starts(withBytesOf: "#") else { continue }
      values[String(parts[0])] = Self.value(parts[1])
    }
    func value(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
    id = value("ID") ?? "linux"
    version = value("VERSION_ID") ?? ""
    name = Printable.text(value("PRETTY_NAME") ?? value("NAME") ?? "Linux", limit: Self.nameLength)
  }

  /// A value as a shell reads it: without its quotation marks, and without the backslashes that escape something.
  private static func value(_ text: Substring) -> String {
    var scalars = text.unicodeScalars[...]
    if let mark = scalars.first, mark == "\"" || mark == "'", scalars.count > 1, scalars.last == mark {
      scalars = scalars.dropFirst().dropLast()
      if mark == "'" { return String(scalars) }
    }
    var value = String.UnicodeScalarView(), isEscaped = false
    for scalar in scalars {
      if scalar == "\\", !isEscaped {
        isEscaped = true
      } else {
        value.append(scalar)
        isEscaped = false
      }
    }
    return String(value)
  }
}
