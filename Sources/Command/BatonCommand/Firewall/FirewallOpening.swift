// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Localization

/// Opens a firewall, with a person's consent and an administrator's password.
enum FirewallOpening {
  enum Outcome: Equatable {
    /// With the commands that remove what was added.
    case opened(undoing: [[String]])
    /// Why it isn't, with the commands that remove what couldn't be taken back.
    case failed(String, undoing: [[String]] = [])
  }

  static func open(_ gap: FirewallGap) -> Outcome {
    switch gap.firewall {
    case .firewalld(let zone, _): FirewalldOpening.open(zone, gap)
    case .ufw: openUfw(gap)
    }
  }

  /// ufw has no service to ask, so its command runs as root.
  private static func openUfw(_ gap: FirewallGap) -> Outcome {
    let environment = ProcessEnvironment.current
    let words = gap.commands.first ?? []
    // Folders for administrators may be missing in the PATH of others.
    let program = environment.program("/usr/sbin/ufw") ?? environment.program("/usr/bin/ufw")
    guard let program else { return .failed(localized("ufw isn't installed where it's expected")) }
    var line = [program] + words.dropFirst()
    var agent: PolkitTerminalAgent?
    defer { agent?.end() }
    if geteuid() != 0 {
      if let helper = environment.program("pkexec") {
        agent = PolkitTerminalAgent(environment)
        // Its own agent fails at many terminals of Debian 12 ("No session for cookie").
        line = [helper] + (agent == nil ? [] : ["--disable-internal-agent"]) + line
      } else if let helper = environment.program("sudo") {
        line = [helper] + line
      } else {
        return .failed(localized("neither pkexec nor sudo is installed"))
      }
    }
    let status = try? ForegroundProgram.run(line, output: STDERR_FILENO)
    return status == 0 ? .opened(undoing: gap.undoing) : .failed(localized("the command failed"))
  }
}

extension FirewallGap {
  var question: String {
    let question =
      switch firewall {
      case .firewalld(let zone, _): localized("Open it permanently in the zone \(zone), for your other machines?")
      case .ufw: localized("Open it permanently, for your other machines?")
      }
    return "\(explanation)\n\(question)"
  }

  /// How to open it by hand.
  var advice: String { localized("To open it, run `\(Self.text(commands))`.") }

  var openedText: String {
    switch firewall {
    case .firewalld(let zone, _): localized("Opened the firewall in the zone \(zone).")
    case .ufw: localized("Opened the firewall.")
    }
  }

  /// Nil if there's nothing to undo.
  static func undoText(_ commands: [[String]]) -> String? {
    commands.isEmpty ? nil : localized("To undo this, run `\(text(commands))`.")
  }

  func failedText(_ cause: String) -> String {
    let cause = Printable.text(cause)
    return localized("The firewall wasn't opened: \(cause).")
  }
}
