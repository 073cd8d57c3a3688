import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import Glibc
import JSONCoding

enum AdvertiseCommand: Command {
  static let words = ["advertise"]
  static let summary = "Offer an activity until another machine continues it."
  static let details = """
    The command stays in the foreground. To withdraw the activity, interrupt it.

    With --stream, the machine that continues the activity gets a two-way stream.
    What you write to standard input here comes out there, and the other way round.
    All messages then go to standard error.

        tar c notes | baton advertise --type org.example.files --stream
        baton continue --latest --stream | tar x          (on the other machine)

    With --json, each line is {"event", "id", "reason", "device"}; the event is
    "current", "resigned", "continued" or "streamRequested".
    """
  private static let type = Option.required(
    "type",
    "TYPE",
    completing: .activityType,
    "The activity's type: a reverse domain name, for example org.example.reading.",
    limit: .activityType
  )
  private static let titleOption = Option.text("title", "TITLE", "The title that people see in lists.", limit: .title)
  private static let info = Option.list(
    "info",
    "KEY=VALUE",
    "A string for the userInfo; can be repeated.",
    limit: .userInfo
  )
  private static let infoJSON = Option.text(
    "info-json",
    "OBJECT",
    "The userInfo as JSON, or the values in it that are not strings.",
    limit: .userInfoText
  )
  private static let url = Option.text(
    "url",
    "URL",
    completing: .url,
    "The web page to open if no app takes the type.",
    limit: .url
  )
  private static let expires = Option.time("expires", "Withdraw the activity after this time: 90, 90s, 15m, 2h, 1d.")
  private static let team = Option.text("team", "ID", completing: .team, "Offer the activity to this team only.")
  private static let stream = Option.flag("stream", "Hand over standard input and output as a stream.")
  static let options: [any AnyOption] = [type, titleOption, info, infoJSON, url, expires, team, stream]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let hasStream = arguments[stream]
    let output = hasStream ? output.besideStream : output
    let parameters = BecomeCurrent.Parameters(activity: try activity(arguments), team: arguments[team])
    let connection = try arguments.connect()
    var replies = try connection.replies(of: BecomeCurrent.self, parameters)
    while let reply = try replies.next() {
      try output.result(reply.json, text(reply, parameters.activity))
      switch reply.event {
      case .current: TeamText.noteWithoutTeam(arguments, output)
      case .willSave: break
      case .resigned: throw CommandError(reply.reason ?? .superseded)
      case .continued: if !hasStream { return }
      case .streamRequested:
        guard hasStream, let token = reply.stream else { break }
        return try StreamCommand.run(AcceptStream.self, AcceptStream.Parameters(stream: token, awaits: true), arguments)
      }
    }
    throw ControlError.disconnected
  }

  private static func activity(_ arguments: ParsedArguments) throws(UsageError) -> ControlActivity {
    var activity = ControlActivity(activityType: arguments[type])
    activity.title = arguments[titleOption]
    activity.userInfo = try InfoOptions.userInfo(json: arguments[infoJSON], strings: arguments[info])
    activity.webpageURL = arguments[url]
    activity.supportsContinuationStreams = arguments[stream]
    activity.expirationDate = arguments[expires].map { Times.now + $0 }
    return activity
  }

  private static func text(_ reply: BecomeCurrent.Reply, _ activity: ControlActivity) -> String {
    let name = ActivityText.name(title: activity.title, type: activity.activityType)
    let device = Printable.text(reply.device ?? "another machine")
    return switch reply.event {
    case .current: "Current: \(name) \(reply.id.description.prefix(8))"
    case .resigned: "No longer current: \(name)"
    case .willSave: "Another machine is fetching it."
    case .continued: "Continued on \(device)."
    case .streamRequested: "Streaming with \(device)."
    }
  }
}
