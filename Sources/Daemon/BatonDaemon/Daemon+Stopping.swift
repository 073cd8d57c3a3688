// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import VarlinkServer

extension Daemon {
  /// Stops the daemon: nothing is offered any longer, streams have `Limits.stopTime` to finish, and peers are told.
  ///
  /// If it is called again, it no longer waits for streams.
  ///
  /// - Parameter completion: Called once. That of a later call is not called.
  package func stop(completion: @escaping @Loop () -> Void) {
    guard !isStopping else { return giveStreamsUp() }
    isStopping = true
    log.notice("Stopping")
    report.stop()
    ServiceManager.stopping()
    watch?.stop()
    memory = nil
    tailscale = nil
    shell.handle(.stopping)
    listener.close()
    // New clients wait for the next daemon.
    if resources.socket.isSystemds { control.server.stopListening() }
    joinings.stop()
    rendezvous.stop()
    meetings.stop()
    let deadline = Loop.now + Limits.stopTime
    var remaining = 3
    let stopped: @Loop () -> Void = { [self] in
      remaining -= 1
      guard remaining == 0 else { return }
      // Later, because parts of this object may still be running, and its owner may release it now.
      Task { @Loop in
        resources.release()
        log.lastWords.notice("Stopped")
        completion()
      }
    }
    // Programs are answered when what they have changed is on the disk.
    var unanswered = 2
    let answerable: @Loop () -> Void = { [self] in
      unanswered -= 1
      guard unanswered == 0 else { return }
      peers.close(completion: stopped)
      control.server.close(by: Loop.now + .seconds(1), completion: stopped)
    }
    announcer.stop(completion: stopped)
    membership.finish(completion: answerable)
    shell.finishStreams(by: deadline) { [self] in
      giveStreamsUp()
    } completion: {
      answerable()
    }
  }

  /// Leaves the streams to the next daemon, or ends them if nothing is kept.
  private func giveStreamsUp() {
    if let keep {
      let kept = KeptStreams(epoch: streamEpoch, openedCount: shell.openedCount, streams: shell.leaveStreams())
      if !kept.streams.isEmpty { keep(kept.descriptors()) }
    }
    peers.resetStreams(.shuttingDown)
  }
}
