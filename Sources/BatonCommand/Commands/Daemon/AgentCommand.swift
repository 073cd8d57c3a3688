import BatonAgent
import EventLoop
import Systemd

enum AgentCommand: Command {
  static let words = ["agent"]
  static let synopsis = "[--no-notifications] [--log-level LEVEL]"
  static let summary = "Start apps for the activities that you continue here; runs in your session."
  static let details = """
    Stays in the foreground; SIGTERM ends it. `systemctl --user enable --now baton-agent` runs it for
    as long as you are logged in.

    When an activity is opened that no running app takes, it starts the installed app whose desktop
    entry names the type in X-Baton-ActivityTypes=. Where none does and the activity has a web page,
    it opens that: in an app that claims the page's domain in X-Baton-Domains=, and which the domain
    confirms, otherwise in the browser.

    It shows what other machines offer, and something here takes, as notifications of the desktop.
    """
  static let options: [Option] = [
    .flag("no-notifications", "Do not show what other machines offer on the desktop."),
    .value("log-level", "LEVEL", "error, warning, notice, info or debug; otherwise info."),
  ]

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    var options = AgentOptions()
    options.socket = arguments.value("socket")
    options.showsNotifications = !arguments.has("no-notifications")
    if let name = arguments.value("log-level") {
      guard let level = Log.Level(name: name) else {
        throw UsageError("--log-level is error, warning, notice, info or debug, not \(name).", hint: helpHint)
      }
      options.logLevel = level
    }
    if let fault = ThreadCheck.fault() { throw CommandError(.failure, fault) }
    do throws(AgentLock.Taken) { try Agent.run(options) } catch { throw CommandError(.failure, error.description) }
  }
}
