import Continuation
import EventLoop
import Systemd

extension Junction: SystemWatchHost {
  func fallsAsleep() {
    daemon.log.info("The machine goes to sleep, nothing is offered")
    daemon.shell.handle(.asleep(true))
    daemon.announcer.fallSilent()
  }

  func woke() {
    daemon.log.info("The machine has slept, or this process was stopped, or the clock was set")
    daemon.shell.handle(.asleep(false))
    daemon.announcer.announceAnew()
    daemon.administration.check()
    daemon.peers.resumed()
  }

  func screensChanged() { daemon.withhold() }
}
