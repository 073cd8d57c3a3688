// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import CommandLineOptions
import EventLoop
import Localization
import Systemd

enum AgentCommand: Command {
  static let words = ["agent"]
  static let group = HelpGroup.diagnosis
  static let summary = localized("Run the agent: notifications, files, search, and opening apps.")
  static let details = localized(
    """
    The agent runs in your session. It stays in the foreground until it receives
    SIGTERM. To run it whenever you're logged in:

        systemctl --user enable --now baton-agent

    When you open an offer that no running app handles, the agent starts the
    installed app whose desktop entry lists the type in X-Baton-ActivityTypes=. If
    there is none and the offer has a web page, the agent opens the page: in an app
    that claims its domain in X-Baton-Domains= and is confirmed by that domain, or
    otherwise in the browser.

    The agent shows offers from other machines as notifications on the desktop, if
    something on this machine handles them.

    The agent keeps the index for `baton search` and for the desktop's search. See
    agent.conf(5) for its settings.
    """
  )
  private static let noNotifications = Option.flag(
    "no-notifications",
    localized("Don't show notifications of offers from other machines.")
  )
  private static let logLevel = Option.value(
    "log-level",
    "LEVEL",
    completing: .choice(Log.Level.allCases.map(\.name)),
    localized("error, warning, notice, info or debug (default: info).")
  ) { text throws(InvalidValue) in
    guard let level = Log.Level(name: text) else {
      throw InvalidValue { localized("'\($0)' must be error, warning, notice, info or debug, not '\(text)'.") }
    }
    return level
  }
  static let options: [any AnyOption] = [noNotifications, logLevel]
  static let examples: [CommandExample] = [
    ("baton agent --log-level debug", localized("Run the agent and log everything.")),
    ("baton agent --no-notifications", localized("Run the agent without notifications.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    var options = AgentOptions()
    options.socket = arguments.socket
    options.showsNotifications = !arguments[noNotifications]
    if let level = arguments[logLevel] { options.logLevel = level }
    if let fault = ThreadCheck.fault() { throw CommandError(.failure, fault) }
    do throws(AgentLock.Taken) { try Agent.run(options) } catch { throw CommandError(.failure, error.description) }
  }
}
