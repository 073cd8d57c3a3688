import Activity

/// One entry of the log, as it is written. Everything that varies comes from somewhere: file names, domains and other
/// machines choose what is in it, also in messages that have an error's text in them. So all of it goes through `Printable`,
/// which leaves one line and nothing for a terminal to obey, and is cut where it is too long.
struct LogEntry {
  private let level: Log.Level
  private let identifier: String
  private let message: String
  private let fields: [(key: String, value: String)]

  /// - Parameter fields: Keys in small letters.
  init(_ level: Log.Level, _ message: String, _ fields: KeyValuePairs<String, String>, identifier: String) {
    self.level = level
    self.identifier = identifier
    self.message = Printable.text(message, limit: Limits.logTextLength)
    self.fields = fields.map { ($0.key, Printable.text($0.value, limit: Limits.logTextLength)) }
  }

  /// For people: without its end.
  var line: String { message + fields.map { " \($0.key)=\(Self.quoted($0.value))" }.joined() }

  /// In quotation marks where the value's end, or another field in it, could be taken for the line's.
  private static func quoted(_ value: String) -> String {
    let isPlain = value.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "\"" }
    guard value.isEmpty || !isPlain else { return value }
    let escaped = value.unicodeScalars.reduce(into: "") { text, scalar in
      if scalar == "\"" { text += "\\" }
      text.unicodeScalars.append(scalar)
    }
    return "\"\(escaped)\""
  }

  /// `NAME=value`: the journal gets the keys in capitals with `BATON_` before.
  var journalFields: [String] {
    ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)"]
      + fields.map { "BATON_\($0.key.uppercased())=\($0.value)" }
  }
}
