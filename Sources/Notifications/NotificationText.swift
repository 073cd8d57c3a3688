import Activity

/// A notification as a server shows it, by what the server can (Desktop Notifications Specification 1.2).
package struct NotificationText: Equatable, Sendable {
  package let summary: String
  package let body: String
  /// The name of an icon, or its URL; empty for none.
  package let icon: String
  /// Keys and what people read.
  package let actions: [(key: String, label: String)]

  /// What a click on the notification itself means, and the same as a button.
  package static let actionKeys = ["default", "continue"]

  /// - Parameter capabilities: As the server's `GetCapabilities` names them.
  package init(_ content: NotificationContent, capabilities: Set<String>) {
    let notice = content.notice
    let application = notice.application.map(Self.line)
    let title = notice.title.map(Self.line).flatMap { $0.isEmpty ? nil : $0 } ?? application ?? "An activity"
    let device = Self.line(notice.device)
    var body = "From \(device)"
    if let application, application != title { body = "\(application), from \(device)" }
    if let failure = content.failure { body = "Not continued from \(device): \(Self.line(failure))" }
    let hasBody = capabilities.contains("body")
    summary = hasBody ? title : "\(title) (\(body))"
    self.body = !hasBody ? "" : capabilities.contains("body-markup") ? Self.escaped(body) : body
    icon = notice.icon.map(Self.icon) ?? ""
    let isOffer = content.failure == nil && capabilities.contains("actions")
    actions = isOffer ? Self.actionKeys.map { ($0, "Continue") } : []
  }

  /// Titles and names come from other machines: one line, in which nothing looks like something else. What nobody sees
  /// (soft hyphens, marks of direction) is left out.
  private static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case _ where scalar.properties.isWhitespace: if line.last != " " { line.append(" ") }
      // What joins emoji and letters.
      case .format where scalar == "\u{200C}" || scalar == "\u{200D}": line.append(scalar)
      case .format: break
      case .control: line.append("\u{FFFD}")
      default: line.append(scalar)
      }
    }
    if line.last == " " { line.removeLast() }
    return String(line.first == " " ? line.dropFirst() : line[...])
  }

  /// A path becomes a URL.
  private static func icon(_ icon: String) -> String {
    guard icon.hasPrefix("/") else { return icon }
    let segments = icon.split(separator: "/").map { PercentEncoding.encode(Array($0.utf8)) }
    return "file:///" + segments.joined(separator: "/")
  }

  private static func escaped(_ text: String) -> String {
    // By scalars: what joins the sign before it makes another character of it for people.
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
