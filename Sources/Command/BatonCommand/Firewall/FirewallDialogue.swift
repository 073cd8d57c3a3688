// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import Glibc
import JSONCoding
import Localization
import VarlinkClient

/// What `baton team create` and `baton team join` do about a firewall that keeps other machines out: they ask whether
/// to open it. Without a terminal, they only show how.
enum FirewallDialogue {
  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    guard !output.isJSON, let status = try? arguments.connect().call(GetStatus.self, Nothing()) else { return }
    for gap in gaps(status) {
      guard isatty(STDIN_FILENO) != 0 else {
        output.note("\(gap.explanation) \(gap.advice)")
        continue
      }
      guard case .given(true) = Question.confirm(gap.question, output) else {
        output.note(gap.advice)
        continue
      }
      switch FirewallOpening.open(gap) {
      case .opened(let undoing):
        output.note([gap.openedText, FirewallGap.undoText(undoing)].compactMap(\.self).joined(separator: " "))
      case .failed(let cause, let undoing):
        let texts = [gap.failedText(cause), FirewallGap.undoText(undoing), gap.advice]
        output.note(texts.compactMap(\.self).joined(separator: " "))
      }
    }
  }

  /// What this machine's firewalls keep out.
  static func gaps(_ status: GetStatus.Reply) -> [FirewallGap] {
    guard let need = FirewallNeed(status) else { return [] }
    return FirewallReader().report(status.interfaces ?? []).gaps(for: need)
  }
}
