// SPDX-License-Identifier: Apache-2.0

import CommandLineOptions
import EventLoop
import Glibc
import Hosts
import Localization

enum BrowserHostCommand: Command {
  static let words = ["browser-host"]
  static let group = HelpGroup.scripts
  static let examples: [CommandExample] = []
  static let summary = localized("Connect a browser to Baton (started by the extension).")
  static let isHidden = true
  static let details = localized(
    """
    The Baton extension starts this command in Chromium and Firefox, and exchanges
    messages with it over standard input and output. It offers the current tab, and
    opens the pages you continue here. It exits when the extension stops.
    """
  )

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    if let fault = ThreadCheck.fault() { throw CommandError(.failure, fault) }
    let socket = arguments.socket
    let signals = [SIGTERM, SIGINT]
    Signals.hold(signals)
    Task { @Loop in
      // Browsers keep what their hosts write there in their own logs.
      let report: @Loop (String) -> Void = { Output(isJSON: false).fail("\($0).", reason: nil) }
      running = BrowserHost(path: socket, onFault: report) { fault in
        if let fault { report(fault) }
        exit(fault == nil ? 0 : 1)
      }
    }
    Signals.wait(for: signals) { _ in exit(0) }
  }

  /// The host that lives as long as the process.
  @Loop private static var running: BrowserHost?
}
