// SPDX-License-Identifier: Apache-2.0

/// One user's login session, as far as it matters here (org.freedesktop.login1(5)).
package struct LoginSession: Equatable, Sendable {
  package var user: UInt32
  /// `user`, or a greeter, a lock screen, or a service of the user.
  package var sessionClass: String
  /// `x11`, `wayland`, `mir` or `tty`. Other types have no screen.
  package var type: String
  /// `online`, `active` or `closing`.
  package var state: String
  /// Whether its screen is locked.
  package var isLocked: Bool

  package init(user: UInt32, sessionClass: String, type: String, state: String, isLocked: Bool) {
    self.user = user
    self.sessionClass = sessionClass
    self.type = type
    self.state = state
    self.isLocked = isLocked
  }

  /// Whether a person sits in front of it, or did before it was locked.
  var isSomebody: Bool {
    sessionClass == "user" && ["x11", "wayland", "mir", "tty"].contains(type) && state != "closing"
  }
}

/// All login sessions of the machine.
package struct LoginSessions: Equatable, Sendable {
  /// The sessions by object path.
  package var all: [String: LoginSession] = [:]

  package init() {}

  /// The users whose sessions are all locked. A user without sessions is not among them, because their programs run
  /// without a screen.
  package var lockedUsers: Set<UInt32> {
    let sessions = all.values.filter(\.isSomebody)
    return Set(sessions.filter(\.isLocked).map(\.user)).subtracting(sessions.filter { !$0.isLocked }.map(\.user))
  }

  /// The users with at least one locked graphical session. Anyone who passes by sees what is shown there, even while
  /// the user works elsewhere without a screen, such as over SSH.
  package var usersWithLockedScreens: Set<UInt32> {
    Set(all.values.filter { $0.isSomebody && $0.type != "tty" && $0.isLocked }.map(\.user))
  }
}
