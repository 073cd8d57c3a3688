// SPDX-License-Identifier: Apache-2.0

/// Reads the values of configuration files.
package enum SettingValue {
  /// - Parameter usual: The meaning of an empty value.
  package static func bool(_ value: some StringProtocol, default usual: Bool) throws(UnusableSetting) -> Bool {
    switch value.lowercased() {
    case "": usual
    case "yes", "true", "on", "1": true
    case "no", "false", "off", "0": false
    default: throw UnusableSetting("expected yes or no, not \(value.quoted)")
    }
  }
}

/// Why a value cannot be used, in words.
package struct UnusableSetting: Error, Equatable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }
}

extension StringProtocol {
  /// For a message: the text in quotes, on one line, and cut to a line's length.
  package var quoted: String { String(String.UnicodeScalarView(unicodeScalars.prefix(60))).debugDescription }
}
