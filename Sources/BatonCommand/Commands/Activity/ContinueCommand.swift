import Activity
import CommandLineOptions
import ControlClient
import ControlInterface
import JSONCoding

enum ContinueCommand: Command {
  static let words = ["continue"]
  static let summary = "Continue an activity of another machine."
  static let details = """
    ID is an ID from `baton list`, or a prefix of it. Without ID, exactly one
    activity must match.

    With --stream, standard input and output become the other end of the origin's
    stream, and messages go to standard error. When the other side ends its
    direction, standard input from a terminal counts as ended, too.

    With --json, the output is {"activity": {...}, "device"}. The activity contains
    its userInfo.
    """
  private static let stream = Option.flag("stream", "Connect standard input and output to the activity's stream.")
  static let options: [any AnyOption] = OfferSearch.options + [stream]
  static let operand: Operand? = OfferSearch.operand

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let hasStream = arguments[stream]
    let output = hasStream ? output.besideStream : output
    let (id, reply) = try continueActivity(arguments, output)
    try output.result(reply.json, text(reply))
    if hasStream {
      try StreamCommand.run(OpenStream.self, OpenStream.Parameters(activity: id, awaits: true), arguments)
    }
  }

  private static func continueActivity(
    _ arguments: ParsedArguments,
    _ output: Output
  ) throws -> (ActivityID, Continue.Reply) {
    do {
      let (offer, device) = try OfferSearch.find(arguments, needsStream: arguments[stream], hint: syntax.hint)
      let reply = try arguments.connect().call(
        Continue.self,
        Continue.Parameters(id: offer.id, deviceID: device),
        output,
        awaiting: "Waiting for \(Printable.text(offer.device)). Its app may still be saving…"
      )
      return (offer.id, reply)
    } catch let error as CommandError where error.reason == Reason.activityNotFound.rawValue {
      // What was opened on this machine is in no list. The app that is started for it knows the whole ID.
      guard let id = arguments.operand.flatMap(ActivityID.init(text:)), !OfferOptions.isGiven(in: arguments),
        let reply = try? arguments.connect().call(Continue.self, Continue.Parameters(id: id))
      else { throw error }
      return (id, reply)
    }
  }

  private static func text(_ reply: Continue.Reply) -> String {
    let name = ActivityText.name(title: reply.activity.title, type: reply.activity.activityType)
    let details = ActivityText.details(reply.activity)
    return "Continued \(name) from \(Printable.text(reply.device))." + (details.isEmpty ? "" : "\n" + details)
  }
}
