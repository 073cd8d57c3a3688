// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import TestSupport
import Testing

@testable import Systemd

/// Text from others reaches the log as text, and as nothing else.
struct LogTests {
  /// Texts from a domain's Content-Type, the name of a file, a locale and others.
  private static let hostile = [
    "text/html\u{1B}[2J\u{1B}]0;x\u{7}", "a.desktop\nNov 22 09:00:00 error Forged", "de\r\u{85}\u{2028}x\u{2029}",
    "\u{9B}1m",
    "\u{202E}evil\u{2066}", "a\0b", "\u{E000}\u{FFF9}",
  ]

  private static let obeyed: Set<Unicode.GeneralCategory> = [
    .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate,
  ]

  private static func isHarmless(_ text: String) -> Bool {
    !text.unicodeScalars.contains { obeyed.contains($0.properties.generalCategory) }
  }

  @Test(arguments: hostile) func journalEntriesHaveNothingToObey(text: String) {
    let entry = LogEntry(
      .warning,
      "A file cannot be used: \(text)",
      ["file": text, "peer": "laptop"],
      identifier: "batond"
    )
    #expect(entry.journalFields.allSatisfy(Self.isHarmless), "\(entry.journalFields)")
    #expect(
      entry.journalFields.map { $0.prefix { $0 != "=" } } == [
        "MESSAGE", "PRIORITY", "SYSLOG_IDENTIFIER", "BATON_FILE", "BATON_PEER",
      ]
    )
  }

  @Test func whatWasThereIsSeen() {
    let entry = LogEntry(.info, "Got \u{1B}[2J", ["peer": "a\nb"], identifier: "batond")
    #expect(entry.line == #"Got \u{1b}[2J peer=a\u{a}b"#)
  }

  /// Other machines choose their own names.
  @Test func aValueIsNoOtherField() {
    let fields: KeyValuePairs = ["peer": "my desk reason=none", "team": "a\"b", "fault": "", "host": "a\u{A0}b"]
    let entry = LogEntry(.info, "Connected", fields, identifier: "batond")
    #expect(entry.line == #"Connected peer="my desk reason=none" team="a\"b" fault="" host="a\#u{A0}b""#)
    #expect(entry.journalFields.contains("BATON_PEER=my desk reason=none"))
  }

  @Test func whatIsTooLongIsCut() {
    let long = String(repeating: "ä", count: LogEntry.logTextLength)
    let entry = LogEntry(.info, long, ["peer": long], identifier: "batond")
    #expect(entry.line.utf8.count <= 2 * (LogEntry.logTextLength + 3) + 6)
    #expect(entry.journalFields.contains { $0.hasPrefix("BATON_PEER=ää") && $0.hasSuffix("ä…") })
  }

  /// Bytes that are not text come from file names and the environment. This needs its own process, because it replaces
  /// standard error.
  @Test func linesOnStandardErrorAreLines() async {
    await #expect(processExitsWith: .success) {
      do {
        unsetenv("JOURNAL_STREAM")
        let path = FileManager.default.temporaryDirectory.appending(path: "baton-log-\(UUID().uuidString)").path
        defer { unlink(path) }
        let descriptor = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        let before = dup(STDERR_FILENO)
        dup2(descriptor, STDERR_FILENO)
        let log = Log(level: .debug)
        let name = String(decoding: [0x61, 0xFF, 0xC3, 0x1B, 0x0A, 0x62], as: UTF8.self)
        for text in Self.hostile + [name] { log.warning("A file cannot be used: \(text)", ["file": text]) }
        dup2(before, STDERR_FILENO)
        let written = try Data(contentsOf: URL(filePath: path))
        let text = try #require(String(data: written, encoding: .utf8))
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == Self.hostile.count + 1)
        for line in lines {
          #expect(line.dropFirst("00:00:00.000 ".count).hasPrefix("warning A file cannot be used: "), "\(line)")
          #expect(Self.isHarmless(String(line)), "\(line)")
        }
      } catch {
        Issue.record(error)
      }
    }
  }
}
