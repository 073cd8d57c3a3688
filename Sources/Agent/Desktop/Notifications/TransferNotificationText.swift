// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

/// The notification of a transfer as a server shows it, adapted to the server's capabilities (Desktop Notifications
/// Specification 1.2).
package struct TransferNotificationText: Equatable, Sendable {
  package let summary: String
  package let body: String
  /// The keys, and the labels that people read.
  package let actions: [(key: String, label: String)]
  /// How much is done, in percent. Nil if it is over.
  package let percent: Int?

  package static let cancelKey = "cancel"
  package static let openKey = "open"

  /// - Parameter capabilities: As the server's `GetCapabilities` names them.
  package init(_ notice: TransferNotice, capabilities: Set<String>) {
    // A device without a visible name is shown by its ID.
    let device = VisibleText.line(notice.device) ?? notice.deviceID.description
    let title = VisibleText.line(notice.title) ?? localized("Files")
    var actions = [(key: NotificationText.clickKey, label: localized("Close"))]
    var sentences = [title]
    switch notice.state {
    case .asking:
      summary = localized("Waiting for \(device) to accept")
      actions.append((Self.cancelKey, localized("Stop")))
      percent = nil
    case .running(let percent, let speed, let timeLeft):
      summary = notice.isSending ? localized("Sending to \(device)") : localized("Receiving from \(device)")
      var parts = ["\(percent)%"]
      if let speed { parts.append("\(ByteCount.text(speed))/s") }
      if let timeLeft { parts.append(localized("\(Self.time(timeLeft)) left")) }
      sentences[0] += ": " + parts.joined(separator: ", ")
      actions.append((Self.cancelKey, localized("Stop")))
      self.percent = percent
    case .done(let omitted):
      summary = notice.isSending ? localized("Sent to \(device)") : localized("Received from \(device)")
      if omitted > 0 {
        sentences.append(
          localized(
            omitted,
            one: "1 file couldn't be transferred. Run `baton transfers` for details.",
            other: "\(omitted) files couldn't be transferred. Run `baton transfers` for details."
          )
        )
      }
      if !notice.isSending {
        actions = [(NotificationText.clickKey, localized("Open")), (Self.openKey, localized("Open"))]
      }
      percent = nil
    case .failed(let why):
      summary =
        notice.isSending ? localized("Couldn't send to \(device)") : localized("Couldn't receive from \(device)")
      sentences.append(why)
      percent = nil
    }
    // Some desktops join the lines of a body.
    let body = sentences.joined(separator: ". ")
    self.body = capabilities.contains("body-markup") ? NotificationText.escaped(body) : body
    self.actions = capabilities.contains("actions") ? actions : []
  }

  /// For people: `45 s`, `3 min` or `2 h 5 min`.
  package static func time(_ seconds: Int) -> String {
    let seconds = max(0, seconds)
    guard seconds >= 60 else { return "\(seconds) s" }
    let minutes = seconds / 60 + (seconds % 60 >= 30 ? 1 : 0)
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }

  package static func == (left: Self, right: Self) -> Bool {
    left.summary == right.summary && left.body == right.body
      && left.percent == right.percent && left.actions.elementsEqual(right.actions, by: ==)
  }
}
