// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

/// A firewall that keeps other machines out. It's opened only if the person agrees, whatever the options are.
struct SetupFirewall {
  let dialogue: SetupDialogue

  func run(_ status: GetStatus.Reply, _ report: inout SetupReport) throws {
    for gap in FirewallDialogue.gaps(status) {
      guard dialogue.canAsk, try dialogue.confirm(gap.question) else {
        try report.add(.init(.firewall, .skipped, gap.explanation, advice: gap.advice))
        continue
      }
      switch FirewallOpening.open(gap) {
      case .opened(let undoing):
        let advice = FirewallGap.undoText(undoing)
        try report.add(.init(.firewall, .passed, gap.openedText, advice: advice), isChange: true)
      case .failed(let cause, let undoing):
        let advice = [FirewallGap.undoText(undoing), gap.advice].compactMap(\.self).joined(separator: " ")
        try report.add(.init(.firewall, .note, gap.failedText(cause), advice: advice))
      }
    }
  }
}
