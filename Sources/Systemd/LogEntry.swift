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
  var line: String { message + fields.map { " \($0.key)=\($0.value)" }.joined() }

  /// `NAME=value`: the journal gets the keys in capitals with `BATON_` before.
  var journalFields: [String] {
    ["MESSAGE=\(line)", "PRIORITY=\(level.rawValue)", "SYSLOG_IDENTIFIER=\(identifier)"]
      + fields.map { "BATON_\($0.key.uppercased())=\($0.value)" }
  }
}
