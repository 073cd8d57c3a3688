/// One login session of somebody, as far as it matters here (org.freedesktop.login1(5)).
package struct LoginSession: Equatable, Sendable {
  package var user: UInt32
  /// `user`, or a greeter, a lock screen, a service of the user's.
  package var sessionClass: String
  /// `x11`, `wayland`, `mir` or `tty`; others have no screen.
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

/// The login sessions that there are.
package struct LoginSessions: Equatable, Sendable {
  /// By object path.
  package var all: [String: LoginSession] = [:]

  package init() {}

  /// The users of whose sessions every one is locked. Whoever has none is not among them: what runs for them runs without
  /// a screen.
  package var lockedUsers: Set<UInt32> {
    let sessions = all.values.filter(\.isSomebody)
    return Set(sessions.filter(\.isLocked).map(\.user)).subtracting(sessions.filter { !$0.isLocked }.map(\.user))
  }

  /// The users of whose graphical sessions one is locked: what is shown there is seen by whoever passes by, also while its user
  /// works elsewhere without a screen, as over SSH.
  package var usersWithLockedScreens: Set<UInt32> {
    Set(all.values.filter { $0.isSomebody && $0.type != "tty" && $0.isLocked }.map(\.user))
  }
}
