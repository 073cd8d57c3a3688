import Activity
import ControlClient
import ControlInterface
import Glibc
import JSONCoding

enum AdvertiseCommand: Command {
  static let words = ["advertise"]
  static let synopsis = "--type TYPE [--title TITLE] [--info KEY=VALUE]... [--stream]"
  static let summary = "Offer an activity to your other machines, until one continues it."
  static let details = """
    Stays in the foreground; interrupting it withdraws the activity.

    With --stream the machine that continues the activity gets a two-way stream: what is written to
    standard input here comes out there, and the other way round. All messages then go to standard
    error.

        tar c notes | baton advertise --type org.example.files --title Notes --stream
        baton continue --latest --stream | tar x          (on the other machine)

    With --json, on each line: {"event": "current" | "resigned" | "continued" | "streamRequested",
    "id", "reason", "device"}.
    """
  static let options: [Option] = [
    .value("type", "TYPE", "The activity's type: a reverse domain name, as org.example.reading.", limit: .activityType),
    .value("title", "TITLE", "What people read in lists.", limit: .title),
    .values("info", "KEY=VALUE", "A string for the userInfo; may be repeated.", limit: .userInfo),
    .value("info-json", "OBJECT", "The userInfo as JSON, or what of it is not a string.", limit: .userInfoText),
    .value("url", "URL", "The web page to open where no app takes the type.", limit: .url),
    .value("expires", "TIME", "Withdraw it after this time: 90, 90s, 15m, 2h, 1d."),
    .value("team", "ID", "Offer it to this team only."),
    .flag("stream", "Hand over standard input and output as a stream."),
  ]

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let stream = arguments.has("stream")
    let output = stream ? output.besideStream : output
    let parameters = BecomeCurrent.Parameters(activity: try activity(arguments), team: arguments.value("team"))
    let connection = try ControlConnection(path: arguments.value("socket"))
    var replies = try connection.replies(of: BecomeCurrent.self, parameters)
    while let reply = try replies.next() {
      try output.result(reply.json, text(reply, parameters.activity))
      switch reply.event {
      case .current: TeamText.noteWithoutTeam(arguments, output)
      case .willSave: break
      case .resigned: throw CommandError(reply.reason ?? .superseded)
      case .continued: if !stream { return }
      case .streamRequested:
        guard stream, let token = reply.stream else { break }
        return try StreamCommand.run(AcceptStream.self, AcceptStream.Parameters(stream: token, awaits: true), arguments)
      }
    }
    throw ControlError.disconnected
  }

  private static func activity(_ arguments: ArgumentList) throws(UsageError) -> ControlActivity {
    guard let type = arguments.value("type") else { throw UsageError("--type is missing.", hint: helpHint) }
    var activity = ControlActivity(activityType: type)
    activity.title = arguments.value("title")
    activity.userInfo = try InfoOptions.userInfo(json: arguments.value("info-json"), strings: arguments.all("info"))
    activity.webpageURL = arguments.value("url")
    activity.supportsContinuationStreams = arguments.has("stream")
    if let expires = arguments.value("expires") {
      guard let seconds = TimeSpan.seconds(expires) else {
        throw UsageError("--expires is a time such as 90s, 15m, 2h or 1d, not \(expires).", hint: helpHint)
      }
      activity.expirationDate = Times.now + seconds
    }
    return activity
  }

  private static func text(_ reply: BecomeCurrent.Reply, _ activity: ControlActivity) -> String {
    let name = ActivityText.name(title: activity.title, type: activity.activityType)
    let device = Printable.text(reply.device ?? "another machine")
    return switch reply.event {
    case .current: "Current: \(name) \(reply.id.description.prefix(8))"
    case .resigned: "Not current any more: \(name)"
    case .willSave: "Another machine fetches it."
    case .continued: "Continued on \(device)."
    case .streamRequested: "Streaming with \(device)."
    }
  }
}
