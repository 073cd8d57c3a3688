// SPDX-License-Identifier: Apache-2.0

import Activity

/// One entry of the log, as it is written.
///
/// File names, domains and other machines determine the values in it, and also messages that contain an error's text.
/// So all of it goes through `Printable`, which leaves one line without anything that a terminal would interpret. Texts
/// that are too long are cut.
struct LogEntry {
  /// The maximum length of a log message, and of each of its fields, in bytes. Others choose how long some of them are.
  static let logTextLength = 2048

  private let level: Log.Level
  private let identifier: String
  private let message: String
  private let fields: [(key: String, value: String)]

  /// - Parameter fields: The keys are in lowercase.
  init(_ level: Log.Level, _ message: String, _ fields: KeyValuePairs<String, String>, identifier: String) {
    self.level = level
    self.identifier = identifier
    self.message = Printable.text(message, limit: Self.logTextLength)
    self.fields = fields.map { ($0.key, Printable.text($0.value, limit: Self.logTextLength)) }
  }

  /// The entry for people, without its newline.
  var line: String { message + fields.map { " \($0.key)=\(Self.quoted($0.value))" }.joined() }

  /// Puts the value in quotation marks if it could otherwise be mistaken for the end of the value or for another field.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "\"" }
    guard value.isEmpty || !isPlain else { return value }
    let escaped = value.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "\"" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return "\"\(escaped)\""
  }

  /// `NAME=value`. The journal gets the keys in uppercase with the prefix `BATON_`.
  var journalFields: [String] {
    ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)"]
      + fields.map { "BATON_\($0.key.uppercased())=\($0.value)" }
  }
}
