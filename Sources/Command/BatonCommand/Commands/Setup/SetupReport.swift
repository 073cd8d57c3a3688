// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding

/// What a setup has found and changed: a line for each finding as it is found, or one document at the end.
struct SetupReport {
  private let output: Output
  private var report: DoctorReport
  /// The checks whose findings the setup has brought about, in its order.
  private var changed: [Diagnose.Check] = []

  init(_ output: Output) {
    self.output = output
    report = DoctorReport(isColoured: output.isColoured)
  }

  mutating func add(_ finding: Diagnose.Reply, isChange: Bool = false) throws {
    report.add(finding)
    if isChange { changed.append(finding.check) }
    if !output.isJSON { try output.line(report.text(finding)) }
  }

  /// - Throws: `CommandError` if something failed.
  func finish() throws {
    if output.isJSON {
      var document = report.json.object ?? [:]
      document["changed"] = .array(changed.map { .string($0.rawValue) })
      try output.document(.object(document))
    }
    if let failure = report.firstFailure {
      throw CommandError(failure.reason ?? .internalFailure, Printable.text(failure.detail))
    }
  }
}
