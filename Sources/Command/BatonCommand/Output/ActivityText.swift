import Activity
import ControlInterface
import JSONCoding

/// Describes activities and offers.
enum ActivityText {
  /// `"Notes" (org.example.files)`.
  static func name(title: String?, type: String) -> String {
    title.map { "\"\(Printable.text($0))\" (\(Printable.text(type)))" } ?? Printable.text(type)
  }

  /// An offer in one line, as lists of choices and `watch` show it.
  static func line(_ offer: ControlOffer) -> String {
    let stream = offer.supportsContinuationStreams ? ", with stream" : ""
    let sent = offer.isSent ? ", sent to this machine" : ""
    return "\(name(title: offer.title, type: offer.activityType)) on \(Printable.text(offer.device))\(stream)\(sent)"
  }

  /// A prefix of the ID that is long enough to distinguish the activity from others.
  static func shortID(_ offer: ControlOffer) -> String { String(offer.id.description.prefix(8)) }

  /// The contents of an activity, one indented line each.
  static func details(_ activity: ControlActivity) -> String {
    var lines: [(String, String)] = []
    if let page = activity.webpageURL { lines.append(("page", page)) }
    if let target = activity.targetContentIdentifier { lines.append(("target", target)) }
    if let identifier = activity.persistentIdentifier { lines.append(("identifier", identifier)) }
    for (key, value) in (activity.userInfo?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      lines.append((key, value.string ?? value.text))
    }
    return Table.text(lines.map { ["  ", Printable.text($0.0), Printable.text($0.1)] })
  }

  static func offers(_ offers: [ControlOffer]) -> String {
    let severalTeams = Set(offers.map(\.team)).count > 1
    return Table.text(
      offers.map { offer in
        [
          shortID(offer), Printable.text(offer.device), Printable.text(offer.activityType),
          Printable.text(offer.title ?? ""), offer.supportsContinuationStreams ? "yes" : "",
          offer.isSent ? "yes" : "", severalTeams ? Printable.text(offer.team) : "",
        ]
      },
      head: ["ID", "DEVICE", "TYPE", "TITLE", "STREAM", "SENT", "TEAM"]
    )
  }
}
