// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import JSONCoding
import Localization
import VarlinkClient

enum ContinueCommand: Command {
  static let words = ["continue"]
  static let group = HelpGroup.everyday
  static let summary = localized("Continue an offer from another machine in this terminal.")
  static let details = localized(
    """
    `baton continue` picks it up in this terminal; `baton open` opens it in its app.

    ID is an ID from `baton list`, or the start of one. Without ID, exactly one
    offer must match.

    With --stream, standard input and output are connected to the offer's stream,
    and messages go to standard error. If standard input is a terminal, it ends when
    the other side stops sending.

    --shell is for desktop entries that open a terminal. If you continue a
    directory, the shell starts there. It also starts if something goes wrong, so
    that you can read the error.

    With --json, the output is {"activity": {...}, "device", "origin"}. The activity
    contains its userInfo.
    """
  )
  private static let stream = Option.flag(
    "stream",
    localized("Connect standard input and output to the offer's stream.")
  )
  /// Whether this program becomes the user's shell, so that its own directory counts.
  static let shell = Option.flag("shell", localized("Start your shell in this terminal afterwards."))
  static let options: [any AnyOption] = OfferSearch.options + [stream, shell, TerminalTaker.layout]
  static let operand: Operand? = OfferSearch.operand
  static let examples: [CommandExample] = [
    ("baton continue", localized("Continue the only offer.")),
    ("baton continue --latest --from laptop", localized("Pick up where you left off on the laptop.")),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    guard arguments[shell] else { return try resume(arguments, output) }
    guard !arguments[stream], !output.isJSON else {
      throw UsageError(localized("'--shell' can't be combined with '--stream' or '--json'."), hint: syntax.hint)
    }
    UserShell.forgetLaunch()
    do { try resume(arguments, output) } catch { _ = Program.tell(error, output) }
    try UserShell.become()
  }

  private static func resume(_ arguments: ParsedArguments, _ output: Output) throws {
    let hasStream = arguments[stream]
    let output = hasStream ? output.besideStream : output
    guard let (id, origin, reply) = try continueActivity(arguments, output) else { return }
    let taker = hasStream ? nil : ActivityTakers.taker(of: reply.activity.activityType, isJSON: output.isJSON)
    try output.result(reply.json, text(reply, hasDetails: taker == nil))
    if hasStream {
      try StreamCommand.run(.opening(id), arguments)
    } else if let taker {
      let continued = ContinuedActivity(id: id, activity: reply.activity, device: reply.device, origin: origin)
      try taker.take(continued, arguments, output)
    }
  }

  /// - Returns: Nil if an app continues it.
  private static func continueActivity(
    _ arguments: ParsedArguments,
    _ output: Output
  ) throws -> (ActivityID, Origin, Continue.Reply)? {
    do {
      return try OfferSearch.find(arguments, needsStream: arguments[stream], hint: syntax.hint) { offer, device in
        if !arguments[stream], ActivityTakers.isForApp(offer.activityType, isJSON: output.isJSON) {
          try OpenCommand.open(offer, device, arguments, output)
          return nil
        }
        let reply = try arguments.connect().call(
          Continue.self,
          Continue.Parameters(id: offer.id, deviceID: device),
          output,
          awaiting: localized("Waiting for \(Printable.text(offer.device)). Its app may still be saving…")
        )
        return (offer.id, .device(offer.deviceID), reply)
      }
    } catch let error as CommandError where error.reason == Reason.activityNotFound.rawValue {
      // What was opened on this machine is in no list. The app that is started for it knows the whole ID.
      guard let id = arguments.operand.flatMap(ActivityID.init(text:)), !OfferOptions.isGiven(in: arguments),
        let reply = try? arguments.connect().call(Continue.self, Continue.Parameters(id: id))
      else { throw error }
      return (id, reply.origin, reply)
    }
  }

  private static func text(_ reply: Continue.Reply, hasDetails: Bool) -> String {
    let name = ActivityText.name(title: reply.activity.title, type: reply.activity.activityType)
    let details = hasDetails ? ActivityText.details(reply.activity) : ""
    return localized("Continued \(name) from \(Printable.text(reply.device)).")
      + (details.isEmpty ? "" : "\n" + details)
  }
}
