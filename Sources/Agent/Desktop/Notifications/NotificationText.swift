import Activity

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
    let what = notice.areFiles ? "Files" : notice.what ?? (notice.showsPage ? "Web page" : application)
    let title = notice.title.flatMap(VisibleText.line) ?? application ?? what ?? notice.activityType
    // A device without a visible name is shown by its ID.
    let device = VisibleText.line(notice.device) ?? notice.id.deviceID.description
    var words = what == title ? nil : what
    if notice.showsPage, let host = notice.pageHost.map(DisplayedHost.text) { words = "Web page at \(host)" }
    let hasActions = capabilities.contains("actions")
    // The heading says who sends it.
    var sentences = [notice.isSent ? words : words.map { "\($0), from \(device)" } ?? "From \(device)"]
    if content.more > 0 { sentences.append(content.more == 1 ? "One more waits" : "\(content.more) more wait") }
    if hasActions, !notice.areFiles, !habits.forgets { sentences.append("Click to continue") }
    var body = sentences.compactMap(\.self).joined(separator: ". ")
    if sentences.count > 1 { body += "." }
    if let failure = content.failure { body = "Not continued from \(device): \(VisibleText.line(failure) ?? "")" }
    let heading = notice.isSent ? "\(device) sends you: \(title)" : title
    let hasBody = capabilities.contains("body")
    summary = hasBody || body.isEmpty ? heading : "\(heading) (\(body))"
    self.body = !hasBody ? "" : capabilities.contains("body-markup") ? Self.escaped(body) : body
    let verb = notice.areFiles ? "Accept" : "Continue"
    let others = (notice.areFiles ? [(Self.declineKey, "Decline")] : []) + [(Self.muteKey, "Mute \(device)")]
    let offered = [(Self.clickKey, verb), (Self.continueKey, verb)] + others
    actions = !hasActions ? [] : content.failure == nil ? offered : [(Self.clickKey, "Close")]
  }

  static func escaped(_ text: String) -> String {
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
