// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Systemd

struct LoginSessionTests {
  private func session(_ user: UInt32, _ isLocked: Bool, _ type: String = "wayland") -> LoginSession {
    LoginSession(user: user, sessionClass: "user", type: type, state: "active", isLocked: isLocked)
  }

  private func locked(_ sessions: LoginSession...) -> Set<UInt32> {
    var all = LoginSessions()
    for (number, session) in sessions.enumerated() { all.all["/\(number)"] = session }
    return all.lockedUsers
  }

  @Test func whoHasNoSessionIsNotLocked() { #expect(locked() == []) }

  @Test func oneLockedSessionLocksItsUser() {
    #expect(locked(session(1000, true), session(1001, false)) == [1000])
  }

  @Test func oneOpenSessionIsEnough() {
    #expect(locked(session(1000, true), session(1000, false)) == [])
    #expect(locked(session(1000, true), session(1000, false, "tty")) == [])
    #expect(locked(session(1000, true), session(1000, true, "x11")) == [1000])
  }

  @Test func aLockedScreenIsOneAlsoWhereItsUserWorksElsewhere() {
    func screens(_ sessions: LoginSession...) -> Set<UInt32> {
      var all = LoginSessions()
      for (number, session) in sessions.enumerated() { all.all["/\(number)"] = session }
      return all.usersWithLockedScreens
    }
    #expect(screens(session(1000, true), session(1000, false, "tty")) == [1000])
    #expect(screens(session(1000, true), session(1000, false, "x11")) == [1000])
    #expect(screens(session(1000, false), session(1000, true, "tty"), session(1001, true, "x11")) == [1001])
    var greeter = session(1000, true)
    greeter.sessionClass = "greeter"
    #expect(screens(greeter) == [])
  }

  @Test(arguments: ["greeter", "lock-screen", "background", "manager"])
  func onlyPeopleCount(sessionClass: String) {
    var other = session(1000, false)
    other.sessionClass = sessionClass
    #expect(locked(session(1000, true), other) == [1000])
    #expect(locked(other) == [])
    other.isLocked = true
    #expect(locked(other) == [])
  }

  @Test func whatHasNoScreenDoesNotCount() {
    #expect(locked(session(1000, true, "unspecified")) == [])
    #expect(locked(session(1000, true), session(1000, false, "unspecified")) == [1000])
  }

  @Test func aClosingSessionDoesNotCount() {
    var closing = session(1000, false)
    closing.state = "closing"
    #expect(locked(session(1000, true), closing) == [1000])
    closing.isLocked = true
    #expect(locked(closing) == [])
  }
}
