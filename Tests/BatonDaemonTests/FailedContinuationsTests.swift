// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import BatonDaemon

struct FailedContinuationsTests {
  private let now = ContinuousClock.now

  private func entry(
    _ reason: Reason = .appTimedOut,
    user: UInt32 = 1,
    device: String = "a",
    after time: Duration = .zero
  ) -> FailedContinuations.Entry {
    FailedContinuations.Entry(user: user, device: device, reason: reason, time: now + time)
  }

  @Test func theLastOfTheUserCounts() {
    var failures = FailedContinuations()
    #expect(failures.last(of: 1, at: now) == nil)
    failures.add(entry(.peerTimedOut))
    failures.add(entry(.appTimedOut))
    failures.add(entry(.otherTeam, user: 2))
    #expect(failures.last(of: 1, at: now)?.reason == .appTimedOut)
    #expect(failures.last(of: 3, at: now) == nil)
  }

  @Test func aSuccessForgetsWhatFailedBefore() {
    var failures = FailedContinuations()
    failures.add(entry(device: "b"))
    failures.add(entry(device: "a"))
    failures.succeeded(1, "a")
    #expect(failures.last(of: 1, at: now)?.device == "b")
    failures.succeeded(2, "b")
    #expect(failures.last(of: 1, at: now)?.device == "b")
  }

  @Test func theyAreForgottenInTime() {
    var failures = FailedContinuations()
    failures.add(entry())
    #expect(failures.last(of: 1, at: now + FailedContinuations.failureMemory - .seconds(1)) != nil)
    #expect(failures.last(of: 1, at: now + FailedContinuations.failureMemory) == nil)
  }

  @Test func onlySoManyAreRemembered() {
    var failures = FailedContinuations()
    failures.add(entry(.otherTeam))
    for _ in 1..<FailedContinuations.rememberedFailures { failures.add(entry(device: "b")) }
    failures.succeeded(1, "b")
    #expect(failures.last(of: 1, at: now)?.reason == .otherTeam)
    for _ in 0..<FailedContinuations.rememberedFailures { failures.add(entry(device: "b")) }
    failures.succeeded(1, "b")
    #expect(failures.last(of: 1, at: now) == nil)
  }

  @Test func whoFailsTheMostForgetsFirst() {
    var failures = FailedContinuations()
    failures.add(entry(user: 7))
    failures.add(entry(user: 8))
    for _ in 0..<10 * FailedContinuations.rememberedFailures { failures.add(entry()) }
    for user: UInt32 in [1, 7, 8] { #expect(failures.last(of: user, at: now) != nil) }
    let others = 100..<100 + UInt32(FailedContinuations.rememberedFailures)
    for user in others { failures.add(entry(user: user)) }
    #expect(failures.last(of: 7, at: now) == nil)
    for user in others { #expect(failures.last(of: user, at: now) != nil) }
  }
}
