// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Localization

/// Describes activities and offers.
enum ActivityText {
  /// `"Notes" (Directory)`.
  static func name(title: String?, type: String) -> String {
    let type = Printable.text(ActivityTypeName.text(type))
    return title.map { "\"\(Printable.text($0))\" (\(type))" } ?? type
  }

  /// An offer in one line, as lists of choices and `watch` show it.
  static func line(_ offer: ControlOffer) -> String {
    let (name, device) = (name(title: offer.title, type: offer.activityType), Printable.text(offer.device))
    return offer.isSent ? localized("\(name) on \(device), sent to this machine") : localized("\(name) on \(device)")
  }

  /// A prefix of the ID that is long enough to distinguish the activity from others.
  static func shortID(_ offer: ControlOffer) -> String { String(offer.id.description.prefix(8)) }

  /// The contents of an activity, one indented line each.
  static func details(_ activity: ControlActivity) -> String {
    var lines: [(String, String)] = []
    if let page = activity.webpageURL { lines.append((localized("page"), page)) }
    if let target = activity.targetContentIdentifier { lines.append((localized("target"), target)) }
    if let identifier = activity.persistentIdentifier { lines.append((localized("identifier"), identifier)) }
    for (key, value) in (activity.userInfo?.object ?? [:]).sorted(by: { $0.key < $1.key }) {
      lines.append((key, value.string ?? value.text))
    }
    return Table.text(lines.map { ["  ", Printable.text($0.0), Printable.text($0.1)] })
  }

  /// - Parameter isLong: Whether to show what programs need, too.
  static func offers(_ offers: [ControlOffer], isLong: Bool = false) -> String {
    let severalTeams = Set(offers.map(\.team)).count > 1
    let yes = localized("yes")
    return Table.text(
      offers.map { offer in
        [
          isLong ? offer.id.description : shortID(offer), Printable.text(offer.device),
          Printable.text(isLong ? offer.activityType : ActivityTypeName.text(offer.activityType)),
          Printable.text(offer.title ?? ""), isLong && offer.supportsContinuationStreams ? yes : "",
          offer.isSent ? yes : "", severalTeams ? Printable.text(offer.team) : "",
        ]
      },
      head: [
        localized("ID"), localized("MACHINE"), localized("TYPE"), localized("TITLE"), localized("STREAM"),
        localized("SENT"), localized("TEAM"),
      ]
    )
  }
}
