// SPDX-License-Identifier: Apache-2.0

import Activity

extension Diagnose.Reply {
  /// What one check found.
  ///
  /// - Parameters:
  ///   - detail: What was seen, for people. It may contain text from other machines.
  ///   - advice: What to do about it, for people.
  package init(
    _ check: Diagnose.Check,
    _ outcome: Diagnose.Outcome,
    _ detail: String,
    reason: Reason? = nil,
    advice: String? = nil
  ) {
    self.init(check: check, outcome: outcome, reason: reason, detail: detail, advice: advice)
  }
}
