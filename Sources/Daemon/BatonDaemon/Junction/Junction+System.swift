// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Handoff
import Systemd

extension Junction: SystemWatchHost {
  func fallsAsleep() {
    daemon.log.info("The machine is going to sleep, so nothing is offered")
    daemon.shell.handle(.asleep(true))
    daemon.announcer.fallSilent()
    daemon.rendezvous.setAsleep(true)
  }

  func woke() {
    daemon.log.info("The machine was asleep, this process was stopped, or the clock was changed")
    daemon.shell.handle(.asleep(false))
    daemon.announcer.announceAnew()
    daemon.rendezvous.setAsleep(false)
    daemon.administration.check()
    daemon.peers.resumed()
    daemon.tailscale?.ask()
    hostNameChanged()
  }

  func screensChanged() { daemon.withhold() }

  func hostNameChanged() { if daemon.settings.readHostName() { daemon.nameChanged() } }
}
