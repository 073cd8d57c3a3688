import BatonAgent
import CommandLineOptions
import EventLoop
import Localization
import Systemd

enum AgentCommand: Command {
  static let words = ["agent"]
  static let group = HelpGroup.diagnosis
  static let summary = "Start apps for the activities that you continue here."
  static let details = """
    The agent runs in your session. It stays in the foreground until it gets
    SIGTERM. To run it whenever you are logged in:

        systemctl --user enable --now baton-agent

    If you open an activity that no running app takes, the agent starts the
    installed app whose desktop entry contains the type in X-Baton-ActivityTypes=.
    If there is none and the activity has a web page, the agent opens the
    page: in an app that claims its domain in X-Baton-Domains= and is confirmed by
    that domain, or otherwise in the browser.

    The agent shows what other machines offer as notifications on the desktop, if
    something on this machine takes it.

    The agent keeps the index for `baton search` and for the desktop's searches.
    agent.conf(5) configures it.
    """
  private static let noNotifications = Option.flag(
    "no-notifications",
    "Do not show notifications of what other machines offer."
  )
  private static let logLevel = Option.value(
    "log-level",
    "LEVEL",
    completing: .choice(Log.Level.allCases.map(\.name)),
    "error, warning, notice, info or debug (default: info)."
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
