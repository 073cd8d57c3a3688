// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The first frame of the machine that continues a terminal.
package struct TerminalHello: Structure {
  package static let currentVersion = 1

  /// The version of the protocol that the sender speaks.
  package let version: Int
  /// The type of its terminal ($TERM). Nil if it has none.
  package let terminal: String?
  package let columns: Int
  package let rows: Int
  /// Whether its terminal shows UTF-8.
  @Coded<FalseByDefault> package var isUTF8: Bool
  /// What the origin said in its welcome, if this continues a connection that broke.
  package let token: String?

  package init(terminal: String?, size: TerminalSize, isUTF8: Bool, token: String?) {
    version = Self.currentVersion
    self.terminal = terminal
    (columns, rows) = (Int(size.columns), Int(size.rows))
    self.isUTF8 = isUTF8
    self.token = token
  }

  package var size: TerminalSize { TerminalSize(columns: columns, rows: rows) }
}

/// The first frame of the origin, unless it refuses.
package struct TerminalWelcome: Structure {
  package let version: Int
  /// The name of the session.
  package let session: String
  /// For how many seconds after a break the connection can be continued.
  package let resumeTime: Int
  /// Continues this connection after a break. Nobody else knows it.
  package let token: String
  /// Whether the origin ignores what is typed.
  @Coded<FalseByDefault> package var isReadOnly: Bool

  package init(session: String, resumeTime: Int, token: String, isReadOnly: Bool) {
    version = TerminalHello.currentVersion
    (self.session, self.resumeTime, self.token) = (session, resumeTime, token)
    self.isReadOnly = isReadOnly
  }
}

/// The last frame of the origin.
package struct TerminalEnd: Structure {
  package enum How: String, Codable, Sendable {
    /// The session goes on at the origin.
    case detached
    /// There is no session any longer.
    case ended
    /// The origin no longer shares it. It goes on there.
    case unshared
    /// The device has not continued the activity, or has had its connection already.
    case notContinued
    /// The time to continue the connection is over.
    case expired
    /// Too many machines are connected to the session.
    case limitReached
    /// tmux could not be started.
    case failed
  }

  package let how: How
  /// What tmux said, if it failed.
  package let message: String?

  package init(_ how: How, message: String? = nil) {
    self.how = how
    self.message = message
  }
}
