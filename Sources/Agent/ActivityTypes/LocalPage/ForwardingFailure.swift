// SPDX-License-Identifier: Apache-2.0

import Localization

/// Why a connection to a port of the machine where a page began fails or ends. The numbers are those of the frame
/// `reset` (ActivityTypes.md, "Local pages").
package enum ForwardingFailure: UInt8, Error, CaseIterable, Sendable {
  /// The user there is being asked whether the port may be used.
  case asking = 1
  /// The user there has refused, or the port is not one of the page's.
  case refused = 2
  /// No server listens there.
  case noServer = 3
  /// The server there belongs to another user.
  case otherUser = 4
  /// There are too many connections.
  case tooMany = 5
  /// The connection broke.
  case broken = 6
  /// The screen there is locked, or the machine goes to sleep. This machine also says so if it has lost the other.
  case away = 7
  /// What the server sends is not HTTP.
  case notHTTP = 8
  /// The page is itself one of a third machine, which is asked there.
  case forwarded = 9
  /// Nothing answers for the page's machine, because its agent doesn't run.
  case noAgent = 10

  /// - Parameters:
  ///   - machine: The name of the other machine, as it is shown.
  ///   - port: The port there.
  package func answer(_ machine: String, port: UInt16) -> LocalPageAnswer {
    switch self {
    case .asking:
      LocalPageAnswer(
        503,
        "Service Unavailable",
        localized(
          "\(machine) is asking whether this machine may use its port \(String(port)). Answer the notification there, or run `baton ports` there. This page reloads automatically."
        ),
        reloads: true
      )
    case .refused:
      LocalPageAnswer(
        403,
        "Forbidden",
        localized(
          "This machine may not use port \(String(port)) of \(machine). To allow it, run `baton ports --allow \(String(port))` there."
        )
      )
    case .noServer:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized("No server is listening on port \(String(port)) of \(machine). Start it there, and reload this page.")
      )
    case .otherUser:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized(
          "The server on port \(String(port)) of \(machine) belongs to a different user, so Baton doesn't use it."
        )
      )
    case .tooMany:
      LocalPageAnswer(
        503,
        "Service Unavailable",
        localized("Too many connections to \(machine) are open. Try again later.")
      )
    case .broken:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized("The server on \(machine) closed the connection without an answer.")
      )
    case .away:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized(
          "\(machine) is asleep, locked or out of reach. Unlock it, open the page there, and continue it again."
        )
      )
    case .notHTTP:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized("The server on port \(String(port)) of \(machine) didn't answer in HTTP.")
      )
    case .forwarded:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized(
          "The server of this page doesn't run on \(machine), but on a machine whose page is shown there. Open the page there, and continue it here."
        )
      )
    case .noAgent:
      LocalPageAnswer(
        502,
        "Bad Gateway",
        localized(
          "Baton's agent isn't running on \(machine). Run `systemctl --user start baton-agent` there, and continue the page again."
        )
      )
    }
  }
}
