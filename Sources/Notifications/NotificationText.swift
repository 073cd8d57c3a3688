import Activity

/// A notification as a server shows it, adapted to the server's capabilities (Desktop Notifications Specification 1.2).
package struct NotificationText: Equatable, Sendable {
  package let summary: String
  package let body: String
  /// The name of an icon, or its URL: the app's own icon, or one that every theme has (Icon Naming Specification).
  package let icon: String
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
  package init(_ content: NotificationContent, capabilities: Set<String>) {
    let notice = content.notice
    let application = notice.application.flatMap(VisibleText.line) ?? (notice.showsPage ? "Web page" : nil)
    let title = notice.title.flatMap(VisibleText.line) ?? application ?? notice.activityType
    // A device without a visible name is shown by its ID.
    let device = VisibleText.line(notice.device) ?? notice.id.deviceID.description
    let host = notice.showsPage ? notice.pageHost.map(DisplayedHost.text) : nil
    var body = "From \(device)"
    if let host {
      body = "Web page at \(host), from \(device)"
    } else if let application, application != title {
      body = "\(application), from \(device)"
    }
    if notice.areFiles { body = "Files, from \(device)" }
    if content.more > 0 { body += content.more == 1 ? ". One more waits." : ". \(content.more) more wait." }
    if let failure = content.failure { body = "Not continued from \(device): \(VisibleText.line(failure) ?? "")" }
    let heading = notice.isSent ? "\(device) sends you: \(title)" : title
    let hasBody = capabilities.contains("body")
    summary = hasBody ? heading : "\(heading) (\(body))"
    self.body = !hasBody ? "" : capabilities.contains("body-markup") ? Self.escaped(body) : body
    icon =
      notice.icon.flatMap(Self.icon)
      ?? (notice.areFiles ? "folder-download" : notice.showsPage ? "web-browser" : "computer")
    let verb = notice.areFiles ? "Accept" : "Continue"
    let others = (notice.areFiles ? [(Self.declineKey, "Decline")] : []) + [(Self.muteKey, "Mute \(device)")]
    let offered = [(Self.clickKey, verb), (Self.continueKey, verb)] + others
    actions =
      !capabilities.contains("actions") ? [] : content.failure == nil ? offered : [(Self.clickKey, "Close")]
  }

  /// Returns an icon's name as it is, and a path as a URL. Nil if it is empty.
  private static func icon(_ icon: String) -> String? {
    guard !icon.isEmpty else { return nil }
    guard icon.starts(withBytesOf: "/") else { return icon }
    let segments = icon.split(atScalar: "/").map { PercentEncoding.encode(Array($0.utf8)) }
    return "file:///" + segments.joined(separator: "/")
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
    left.summary == right.summary && left.body == right.body && left.icon == right.icon
      && left.actions.elementsEqual(right.actions, by: ==)
  }
}
