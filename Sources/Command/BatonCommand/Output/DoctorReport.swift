// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

/// The doctor's findings, for people and as a document.
struct DoctorReport {
  private let isColoured: Bool
  private var findings: [Diagnose.Reply] = []

  init(isColoured: Bool) { self.isColoured = isColoured }

  mutating func add(_ finding: Diagnose.Reply) { findings.append(finding) }

  /// The first check that failed; nil if none did.
  var firstFailure: Diagnose.Reply? { findings.first { $0.outcome == .failed } }

  /// Whether a check passed, at least once.
  func hasPassed(_ check: Diagnose.Check) -> Bool { findings.contains { $0.check == check && $0.outcome == .passed } }

  var json: JSON {
    var members: [String: JSON] = ["checks": .array(findings.map(\.json))]
    members["reason"] = firstFailure.map { .string(($0.reason ?? .internalFailure).rawValue) }
    return .object(members)
  }

  /// One line for the finding and one for the advice.
  func text(_ finding: Diagnose.Reply) -> String {
    let label = Self.labels[finding.check] ?? ""
    let reason = finding.outcome == .failed ? finding.reason.map { " [\($0.rawValue)]" } ?? "" : ""
    let line = "\(mark(finding.outcome)) \(label) \(Printable.text(finding.detail))\(reason)"
    let advice = finding.advice.map {
      "\n" + String(repeating: " ", count: Table.width(of: label) + 3) + "→ " + Printable.text($0)
    }
    return line + (advice ?? "")
  }

  /// What each check is called, in the same width.
  private static let labels = Table.padded(
    Dictionary(
      uniqueKeysWithValues: Diagnose.Check.allCases.map { ($0, $0 == .peer ? localized("machine") : $0.rawValue) }
    )
  )

  private func mark(_ outcome: Diagnose.Outcome) -> String {
    switch outcome {
    case .passed: coloured("✓", 32)
    case .failed: coloured("✗", 31)
    case .skipped, .note: "–"
    }
  }

  private func coloured(_ text: String, _ colour: Int) -> String {
    isColoured ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
  }

  /// The finding if the daemon cannot be reached; nil if it answered and something else is wrong.
  static func finding(_ error: ControlError) -> Diagnose.Reply? {
    switch error {
    case .failed, .refused, .protocolViolation, .tooLong, .searchNotRunning: nil
    case .notRunning(let paths):
      Diagnose.Reply(
        .daemon,
        .failed,
        localized("batond isn't running: nothing answers on \(paths.joined(separator: localized(" or ")))."),
        reason: .daemonUnreachable,
        advice: localized(
          """
          To find out why, run `systemctl status batond`. Start it with `sudo systemctl start batond`, or start one of your own with \
          `systemctl --user start batond`.
          """
        )
      )
    case .notPermitted(let path):
      Diagnose.Reply(
        .daemon,
        .failed,
        localized("You don't have permission to use the daemon's socket \(path)."),
        reason: .notPermitted,
        advice: localized("Start a daemon of your own: `systemctl --user start batond`.")
      )
    case .foreignServer, .timedOut, .disconnected, .system:
      Diagnose.Reply(
        .daemon,
        .failed,
        "\(error)",
        reason: .daemonUnreachable,
        advice: localized(
          """
          Check `systemctl status batond`, and check the configuration with `sudo batond --check-config`. Restart the \
          daemon with `sudo systemctl restart batond`.
          """
        )
      )
    }
  }
}
