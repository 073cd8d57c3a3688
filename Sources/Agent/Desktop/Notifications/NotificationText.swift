// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// A notification as a server shows it, adapted to the server's capabilities (Desktop Notifications Specification 1.2).
package struct NotificationText: Equatable, Sendable {
  package let summary: String
  package let body: String
  /// The name of the icon, which is the same for the whole program.
  package static let icon = "io.baton.Agent"
  /// The keys, and the labels that people read.
  package let actions: [(key: String, label: String)]

  /// A click on the notification itself. Without this key, a click would start the agent as an app in GNOME, and remove
  /// all its notifications.
  package static let clickKey = "default"
  /// The button that continues the activity, as a click does.
  package static let continueKey = "continue"
  package static let declineKey = "decline"
  package static let muteKey = "mute"

  /// - Parameter capabilities: As the server's `GetCapabilities` names them.
  package init(_ content: NotificationContent, capabilities: Set<String>, _ habits: ServerHabits = .unknown) {
    let notice = content.notice
    let application = notice.application.flatMap(VisibleText.line)
    let what =
      notice.areFiles ? localized("Files") : notice.what ?? (notice.showsPage ? localized("Web page") : application)
    let title = notice.title.flatMap(VisibleText.line) ?? application ?? what ?? notice.activityType
    // A device without a visible name is shown by its ID.
    let device = VisibleText.line(notice.device) ?? notice.id.deviceID.description
    var words = what == title ? nil : what
    if notice.showsPage, let host = notice.pageHost.map(DisplayedHost.text) { words = localized("Web page at \(host)") }
    let hasActions = capabilities.contains("actions")
    var sentences = [Self.origin(words, device, isSent: notice.isSent)]
    if content.more > 0 {
      sentences.append(localized(content.more, one: "1 more is waiting", other: "\(content.more) more are waiting"))
    }
    if hasActions, !notice.areFiles, !habits.forgets { sentences.append(localized("Click to continue")) }
    var body = sentences.joined(separator: ". ")
    if sentences.count > 1 { body += "." }
    if let failure = content.failure { body = Self.failure(device, failure) }
    let hasBody = capabilities.contains("body")
    summary = hasBody ? title : "\(title) (\(body))"
    self.body = !hasBody ? "" : capabilities.contains("body-markup") ? Self.escaped(body) : body
    let verb = notice.areFiles ? localized("Accept") : localized("Continue")
    let mute = (Self.muteKey, localized("Mute \(device)"))
    let others = notice.areFiles ? [(Self.declineKey, localized("Decline")), mute] : [mute]
    let offered = [(Self.clickKey, verb), (Self.continueKey, verb)] + others
    actions = !hasActions ? [] : content.failure == nil ? offered : [(Self.clickKey, localized("Close"))]
  }

  /// Where it comes from.
  ///
  /// - Parameter words: What it is.
  private static func origin(_ words: String?, _ device: String, isSent: Bool) -> String {
    switch (words, isSent) {
    case (let words?, true): localized("\(words), sent from \(device)")
    case (nil, true): localized("Sent from \(device)")
    case (let words?, false): localized("\(words), from \(device)")
    case (nil, false): localized("From \(device)")
    }
  }

  /// Why it could not be continued.
  package static func failure(_ device: String, _ why: String) -> String {
    localized("Couldn't continue from \(device): \(VisibleText.line(why) ?? "")")
  }

  /// Returns a text in which a server that reads markup finds none.
  package static func escaped(_ text: String) -> String {
    // By scalars, because a combining scalar forms another `Character` with the sign before it.
    text.unicodeScalars.reduce(into: "") { result, scalar in
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.unicodeScalars.append(scalar)
      }
    }
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.summary == right.summary && left.body == right.body
      && left.actions.elementsEqual(right.actions, by: ==)
  }
}
