// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Systemd
import TestSupport
import Testing

/// The signs of life for the service manager.
@Suite(.isolated) struct WatchdogTests {
  @Loop @Test func aLoopThatGoesRoundSaysSoTwiceInItsTime() async throws {
    var times: [ContinuousClock.Instant] = []
    let tell: @Loop () -> Void = { times.append(.now) }
    let watchdog = Watchdog(time: .milliseconds(100), tell: tell)
    #expect(times.count == 1)
    while times.count < 4 { try await Task.sleep(for: .milliseconds(1)) }
    #expect(times[3] - times[0] >= .milliseconds(145))
    withExtendedLifetime(watchdog) {}
  }

  @Loop @Test func aLoopThatIsBlockedDoesNot() async throws {
    var count = 0
    let tell: @Loop () -> Void = { count += 1 }
    let watchdog = Watchdog(time: .milliseconds(20), tell: tell)
    let end = ContinuousClock.now + .milliseconds(200)
    while .now < end {}
    #expect(count == 1)
    withExtendedLifetime(watchdog) {}
  }

  @Loop @Test func nobodyIsToldWhereNobodyWatches() {
    var count = 0
    let tell: @Loop () -> Void = { count += 1 }
    _ = Watchdog(time: nil, tell: tell)
    #expect(count == 0)
  }
}
