// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Systemd

/// What ``SystemWatch`` tells the other parts.
@Loop
protocol SystemWatchHost: AnyObject {
  /// The machine falls asleep `sleepDelay` later.
  func fallsAsleep()
  /// The machine has slept, or this process was stopped, or the clock was set.
  func woke()
  /// Screens of other users than before are locked now; see ``SystemWatch/lockedUsers``.
  func screensChanged()
  /// The machine may have another host name.
  func hostNameChanged()
}

/// Reports what the system tells the daemon: that the machine falls asleep and wakes, and whose screens are locked.
@Loop
final class SystemWatch {
  /// The time from withdrawing everything until the machine may sleep. Sessions are told immediately, and Avahi
  /// announces within 250 ms. logind waits for 5 s.
  nonisolated static let sleepDelay = Duration.milliseconds(500)

  /// The users whose screens are all locked.
  private(set) var lockedUsers: Set<UInt32> = []
  private unowned let host: any SystemWatchHost
  private let login: any LoginManager
  private var wakefulness = Wakefulness(.now, at: Loop.now)
  private var clocks: ClockWatch?
  private var sleepTimer: Timer?

  init(_ login: any LoginManager, host: any SystemWatchHost) {
    self.host = host
    self.login = login
    login.onEvent = { [weak self] event in self?.told(event) }
  }

  func start() {
    sleepTimer = Timer { [weak self] in self?.login.allowSleep() }
    clocks = ClockWatch { [weak self] in self?.handle(.clocks(.now)) }
    Timer.onFire = { [weak self] deadline in self?.handle(.timerFired(deadline: deadline, .now)) }
    login.start()
  }

  func stop() {
    Timer.onFire = nil
    clocks?.close()
    sleepTimer?.set(nil)
    login.stop()
  }

  private func told(_ event: LoginEvent) {
    switch event {
    case .fallingAsleep: handle(.fallingAsleep)
    case .awake: handle(.awake(.now))
    case .lockedUsers(let users):
      lockedUsers = users
      host.screensChanged()
    case .hostNameChanged: host.hostNameChanged()
    }
  }

  private func handle(_ event: Wakefulness.Event) {
    switch wakefulness.handle(event, at: Loop.now) {
    case .sleep:
      sleepTimer?.set(Loop.now + Self.sleepDelay)
      host.fallsAsleep()
    case .wake:
      sleepTimer?.set(nil)
      host.woke()
    case nil: break
    }
  }
}
