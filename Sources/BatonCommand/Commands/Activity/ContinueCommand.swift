import Activity
import ControlClient
import ControlInterface
import JSONCoding

enum ContinueCommand: Command {
  static let words = ["continue"]
  static let synopsis = "[ID | --latest] [--type TYPE] [--stream] [--wait SECONDS]"
  static let summary = "Take over an activity of another machine."
  static let details = """
    ID is one of `baton list`, or its first digits. Without it the one activity that fits is taken.

    With --stream, standard input and output become the other end of the origin's stream; messages go
    to standard error. When the other side has ended its direction, standard input at a terminal
    counts as ended, too.

    With --json: {"activity": {...}, "device"}; the activity holds its userInfo.
    """
  static let options: [Option] =
    OfferOptions.options + [
      .flag("latest", "Take the newest where several fit."),
      .flag("stream", "Connect standard input and output to the stream of the activity."),
      .value("wait", "TIME", "Wait so long for an activity that fits: 30, 30s, 5m."),
    ]
  static let operands = 1

  static func run(_ arguments: ArgumentList, _ output: Output) throws {
    let stream = arguments.has("stream")
    let output = stream ? output.besideStream : output
    let (offer, device) = try OfferSearch.find(arguments, helpHint: helpHint)
    let connection = try ControlConnection(path: arguments.value("socket"))
    let reply = try connection.call(Continue.self, Continue.Parameters(id: offer.id, deviceID: device))
    try output.result(reply.json, text(reply))
    if stream {
      try StreamCommand.run(OpenStream.self, OpenStream.Parameters(activity: offer.id, awaits: true), arguments)
    }
  }

  private static func text(_ reply: Continue.Reply) -> String {
    let name = ActivityText.name(title: reply.activity.title, type: reply.activity.activityType)
    let details = ActivityText.details(reply.activity)
    return "Continued \(name) from \(Printable.text(reply.device))." + (details.isEmpty ? "" : "\n" + details)
  }
}
