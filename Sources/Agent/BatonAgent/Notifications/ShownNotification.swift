// SPDX-License-Identifier: Apache-2.0

import Desktop
import Systemd

/// A notification as it is sent.
struct ShownNotification {
  let summary: String
  let body: String
  /// The keys, and the labels that people read.
  let actions: [(key: String, label: String)]
  let category: String
  let manner: NotificationManner
  /// How much is done, in percent, if it shows that.
  var percent: Int?

  /// The arguments of `Notify`.
  func arguments(replacing replaced: ServerDialogue.NotificationID?) -> [BusArgument] {
    var hints: [(String, BusArgument)] = [
      ("category", .string(category)),
      // The entry under which users set what a program may show.
      ("desktop-entry", .string("io.baton.Agent")), ("urgency", .byte(manner.urgency)),
      ("suppress-sound", .boolean(manner.isQuiet)),
    ]
    if manner.isResident { hints.append(("resident", .boolean(true))) }
    if let percent { hints.append(("value", .integer(Int32(clamping: percent)))) }
    return [
      .string("Baton"), .number(replaced ?? 0), .string(NotificationText.icon), .string(summary), .string(body),
      .array(contents: "s", actions.flatMap { [.string($0.key), .string($0.label)] }),
      .array(contents: "{sv}", hints.map { .entry(.string($0.0), .variant($0.1)) }), .integer(manner.timeout),
    ]
  }
}
