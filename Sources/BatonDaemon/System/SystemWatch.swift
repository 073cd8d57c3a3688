import Activity
import EventLoop
import Systemd

/// Reports what the system tells the daemon: that the machine falls asleep and wakes, and whose screens are locked.
@Loop
final class SystemWatch {
  /// The machine falls asleep `Limits.sleepDelay` later.
  var onSleep: (@Loop () -> Void)?
  /// The machine has slept, or this process was stopped, or the clock was set.
  var onWake: (@Loop () -> Void)?
  var onScreensLocked: (@Loop (Set<UInt32>) -> Void)?

  private let login: any LoginManager
  private var wakefulness = Wakefulness(.now, at: Loop.now)
  private var clocks: ClockWatch?
  private var sleepTimer: Timer?

  init(_ login: any LoginManager) {
    self.login = login
    login.onEvent = { [weak self] event in self?.told(event) }
  }

  func start() {
    sleepTimer = Timer { [weak self] in self?.login.allowSleep() }
    clocks = ClockWatch { [weak self] in self?.handle(.clocks(.now)) }
    Timer.onFire = { [weak self] deadline in self?.handle(.timerFired(deadline: deadline)) }
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
    case .lockedUsers(let users): onScreensLocked?(users)
    }
  }

  private func handle(_ event: Wakefulness.Event) {
    switch wakefulness.handle(event, at: Loop.now) {
    case .sleep:
      sleepTimer?.set(Loop.now + Limits.sleepDelay)
      onSleep?()
    case .wake:
      sleepTimer?.set(nil)
      Timer.catchUp()
      onWake?()
    case nil: break
    }
  }
}
