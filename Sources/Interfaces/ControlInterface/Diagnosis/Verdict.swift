// SPDX-License-Identifier: Apache-2.0

/// What the doctor concludes from its observations. Each function is one check that takes values and returns a finding.
package enum Verdict {
  package typealias Finding = Diagnose.Reply

  static func list(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: ", ") }
}
