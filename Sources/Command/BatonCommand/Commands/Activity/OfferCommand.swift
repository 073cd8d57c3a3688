// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import Glibc
import JSONCoding
import Localization
import Varlink
import VarlinkClient

enum OfferCommand: Command {
  static let words = ["offer"]
  static let formerWords = [["advertise"]]
  static let group = HelpGroup.scripts
  static let summary = localized("Offer an activity until another machine continues it.")
  static let details = localized(
    """
    The command stays in the foreground. To stop offering, press Ctrl+C.

    With --stream, the machine that continues the offer gets a two-way stream: your
    standard input here comes out there, and vice versa. All messages go to standard
    error.

        tar c notes | baton offer --type org.example.files --stream
        baton continue --latest --stream | tar x          (on the other machine)

    With --to, only that machine sees the offer, and what you offer to all your
    machines doesn't change. If the machine is offline, the offer is queued.

        baton offer --to desktop --type org.example.page --title Milk

    With --json, each line is {"event", "id", "reason", "device"}. The event is
    "current" (with --to, "sent"), "resigned", "continued" or "streamRequested".
    """
  )
  private static let type = Option.required(
    "type",
    "TYPE",
    completing: .activityType,
    localized("The type: a reverse domain name, for example org.example.reading."),
    limit: .activityType
  )
  private static let titleOption = Option.text(
    "title",
    "TITLE",
    localized("The title to show in lists."),
    limit: .title
  )
  private static let info = Option.list(
    "info",
    "KEY=VALUE",
    localized("A string for the userInfo. You can repeat this option."),
    limit: .userInfo
  )
  private static let infoJSON = Option.text(
    "info-json",
    "OBJECT",
    localized("The userInfo as JSON, or only the values that aren't strings."),
    limit: .userInfoText
  )
  private static let url = Option.text(
    "url",
    "URL",
    completing: .url,
    localized("The web page to open if no app handles the type."),
    limit: .url
  )
  private static let expires = Option.time("expires", localized("Stop offering after this time: 90, 90s, 15m, 2h, 1d."))
  private static let team = Option.text("team", "ID", completing: .team, localized("Offer it to this team only."))
  private static let to = Option.text(
    "to",
    "MACHINE",
    completing: .machine,
    localized("Offer it to MACHINE only: its name, or the start of its ID.")
  )
  private static let stream = Option.flag("stream", localized("Connect standard input and output as a stream."))
  static let options: [any AnyOption] = [type, titleOption, info, infoJSON, url, expires, team, to, stream]
  static let examples: [CommandExample] = [
    ("baton offer --type org.example.page --title Milk --url https://example.org", localized("Offer a web page.")),
    (
      "baton offer --type org.example.page --title Milk --to desktop", localized("Offer something to one machine only.")
    ),
  ]

  static func run(_ arguments: ParsedArguments, _ output: Output) throws {
    let output = arguments[stream] ? output.besideStream : output
    let activity = try activity(arguments)
    guard let device = arguments[to] else {
      let parameters = BecomeCurrent.Parameters(activity: activity, team: arguments[team])
      return try hold(BecomeCurrent.self, parameters, arguments, output) { (text($0, activity), $0) }
    }
    let recipient = try Recipient.find(device, team: arguments[team], arguments.connect())
    let parameters = SendActivity.Parameters(activity: activity, deviceID: recipient.deviceID, team: recipient.team)
    try hold(SendActivity.self, parameters, arguments, output) { reply in
      let common = BecomeCurrent.Reply(reply)
      return (reply.event == .sent ? text(reply, activity, recipient) : text(common, activity), common)
    }
  }

  /// - Parameter describe: Returns what a reply says, for people and in the form of `BecomeCurrent`.
  private static func hold<M: Method>(
    _ method: M.Type,
    _ parameters: M.Parameters,
    _ arguments: ParsedArguments,
    _ output: Output,
    describe: (M.Reply) -> (text: String, common: BecomeCurrent.Reply)
  ) throws {
    let hasStream = arguments[stream]
    let connection = try arguments.connect()
    var replies = try connection.replies(of: method, parameters)
    while let next = try replies.next() {
      let (text, reply) = describe(next)
      try output.result(next.json, text)
      switch reply.event {
      case .current: TeamText.noteWithoutTeam(arguments, output)
      case .willSave: break
      case .resigned: throw CommandError(reply.reason ?? .superseded)
      case .continued: if !hasStream { return }
      case .streamRequested:
        guard hasStream, let token = reply.stream else { break }
        return try StreamCommand.run(.accepting(token), arguments)
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

  private static func text(
    _ reply: SendActivity.Reply,
    _ activity: ControlActivity,
    _ recipient: Recipient
  ) -> String {
    let name = ActivityText.name(title: activity.title, type: activity.activityType)
    let device = Printable.text(recipient.name)
    let sent = localized("Sent to \(device): \(name) \(reply.id.description.prefix(8))")
    return recipient.isConnected ? sent : sent + "\n" + localized("\(device) is offline. The offer is queued.")
  }

  private static func text(_ reply: BecomeCurrent.Reply, _ activity: ControlActivity) -> String {
    let name = ActivityText.name(title: activity.title, type: activity.activityType)
    let device = Printable.text(reply.device ?? localized("another machine"))
    return switch reply.event {
    case .current: localized("Offered: \(name) \(reply.id.description.prefix(8))")
    case .resigned: localized("No longer offered: \(name)")
    case .willSave: localized("Another machine is fetching it.")
    case .continued: localized("Continued on \(device).")
    case .streamRequested: localized("Connected to \(device).")
    }
  }
}
