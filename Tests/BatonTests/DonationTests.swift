// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import JSONCoding
import Search
import TestSupport
import Testing
import Varlink
import VarlinkClient
import VarlinkServer

@testable import Baton

/// When activities are donated.
@Suite(.isolated) struct DonationTests {
  @Loop
  private final class Scene {
    let index: FakeDaemon
    let donations: Donations
    var entries: [SavedEntry] = []
    var replaced: [[String]?] = []

    init() throws {
      index = try FakeDaemon(.search)
      donations = Donations(IndexQueue(path: index.path))
      index.on(IndexEntries.self) { [unowned self] parameters, exchange in
        self.entries += parameters.entries
        self.replaced.append(parameters.replaces)
        exchange.reply(IndexEntries.Reply())
      }
    }

    func stop() { index.close() }
  }

  private func activity() -> NSUserActivity {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.title = "Moby-Dick"
    activity.isEligibleForSearch = true
    return activity
  }

  private func wait(for titles: [String], in scene: Scene) throws {
    try waitUntil("\(titles)") { try onLoop { scene.entries.compactMap(\.title) == titles } }
  }

  @Test func anActivityIsDonatedWhenItBecomesCurrentAndOnceUnlessItChanges() throws {
    let activity = activity()
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    try onLoop {
      scene.donations.becameCurrent(core)
      scene.donations.ended(core.id, core.donation())
      scene.donations.becameCurrent(core)
    }
    // It was no longer current in between, so this is another use.
    try wait(for: ["Moby-Dick", "Moby-Dick"], in: scene)
    try onLoop { scene.stop() }
  }

  @Test func changesAreDonatedTogetherAfterAWhileAndReplaceTheOldEntry() throws {
    let clock = try ManualClock.install()
    let activity = activity()
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    for title in ["Typee", "Omoo"] {
      activity.title = title
      try onLoop { scene.donations.changed(core) }
    }
    try onLoop { clock.advance(by: Donations.donationInterval) }
    try wait(for: ["Moby-Dick", "Omoo"], in: scene)
    try onLoop {
      #expect(scene.replaced == [nil, [scene.entries[0].identifier]])
      scene.stop()
    }
  }

  @Test func whatChangedLastIsDonatedAtTheEnd() throws {
    let activity = activity()
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    activity.title = "Typee"
    try onLoop { scene.donations.ended(core.id, core.donation()) }
    try wait(for: ["Moby-Dick", "Typee"], in: scene)
    try onLoop { scene.stop() }
  }

  private final class Saver: NSUserActivityDelegate {
    func userActivityWillSave(_ userActivity: NSUserActivity) { userActivity.userInfo = ["page": 7] }
  }

  @Test func anAppThatWantsToSaveIsAskedBefore() throws {
    let saver = Saver()
    let activity = activity()
    activity.delegate = saver
    activity.needsSave = true
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    try onLoop {
      #expect(scene.entries.first?.activity?.userInfo.json == ["page": 7])
      scene.stop()
    }
    withExtendedLifetime(saver) {}
  }

  // MARK: Eligible when saved

  /// An app that describes its activities when they are saved.
  private final class Describer: NSUserActivityDelegate {
    let count = Locked(0)
    let body: (NSUserActivity) -> Void
    init(_ body: @escaping (NSUserActivity) -> Void) { self.body = body }

    func userActivityWillSave(_ userActivity: NSUserActivity) {
      count.withLock { $0 += 1 }
      body(userActivity)
    }
  }

  private func undescribed(_ describer: Describer) -> NSUserActivity {
    let activity = NSUserActivity(activityType: "org.example.reading")
    activity.delegate = describer
    activity.needsSave = true
    return activity
  }

  @Test func anActivityThatIsEligibleWhenItIsSavedIsDonated() throws {
    let describer = Describer {
      $0.title = "Moby-Dick"
      $0.isEligibleForSearch = true
    }
    let activity = undescribed(describer)
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop {
      scene.donations.becameCurrent(core)
      scene.donations.becameCurrent(core)
    }
    try wait(for: ["Moby-Dick"], in: scene)
    try onLoop { scene.donations.changed(core) }
    #expect(!activity.needsSave && describer.count.withLock(\.self) == 1)
    try onLoop { scene.stop() }
  }

  @Test func itMayNeedSavingAfterItHasBecomeCurrent() throws {
    let describer = Describer {
      $0.title = "Moby-Dick"
      $0.isEligibleForSearch = true
    }
    let activity = undescribed(describer)
    activity.needsSave = false
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    #expect(describer.count.withLock(\.self) == 0)
    activity.needsSave = true
    try onLoop { scene.donations.changed(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    #expect(describer.count.withLock(\.self) == 1)
    try onLoop { scene.stop() }
  }

  @Test func aControllerThatDescribesItsActivityOnTheMainThreadIsDonated() async throws {
    let (controller, core) = await MainActor.run {
      let controller = Controller()
      let activity = NSUserActivity(activityType: "org.example.reading")
      controller.userActivity = activity
      return (controller, activity.core)
    }
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    try onLoop { scene.stop() }
    await MainActor.run { controller.userActivity = nil }
  }

  private final class Controller: UserActivityResponder {
    override func updateUserActivityState(_ activity: NSUserActivity) {
      activity.title = "Moby-Dick"
      activity.isEligibleForSearch = true
    }
  }

  @Test(arguments: [false, true])
  func anActivityThatStaysIneligibleIsAskedOnceAndIsNotDonated(asksAgain: Bool) throws {
    // It becomes current in between.
    let current = Locked<(@Sendable () -> Void)?>(nil)
    let describer = Describer {
      if asksAgain { $0.needsSave = true }
      current.withLock(\.self)?()
    }
    let activity = undescribed(describer)
    let core = activity.core
    let scene = try onLoop { try Scene() }
    current.withLock { $0 = { Task { @Loop in scene.donations.becameCurrent(core) } } }
    try onLoop { scene.donations.becameCurrent(core) }
    try waitUntil("It was asked") { describer.count.withLock(\.self) == 1 }
    try waitUntil("It needs saving for other machines") { activity.needsSave }
    for _ in 0..<10 { try onLoop { scene.donations.changed(core) } }
    // What the changes began would be before this in the activity's queue.
    core.callbacks.sync {}
    #expect(describer.count.withLock(\.self) == 1)
    try onLoop {
      #expect(scene.entries.isEmpty)
      scene.stop()
    }
  }

  @Test func anActivityThatIsNoLongerEligibleWhenItIsSavedIsNotAskedAgain() throws {
    let clock = try ManualClock.install()
    let describer = Describer { $0.isEligibleForSearch = false }
    let activity = activity()
    activity.delegate = describer
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    activity.needsSave = true
    for _ in 0..<3 {
      try onLoop {
        scene.donations.changed(core)
        clock.advance(by: Donations.donationInterval)
      }
      try waitUntil("It was asked") { describer.count.withLock(\.self) > 0 }
      // The end of the round follows what is in the activity's queue.
      core.callbacks.sync {}
      try onLoop {}
    }
    // Another machine that continues it asks for its state.
    try waitUntil("It needs to be saved") { activity.needsSave }
    #expect(describer.count.withLock(\.self) == 1)
    try onLoop { scene.stop() }
  }

  @Test func anActivityThatWasDonatedAndIsNoLongerEligibleKeepsItsNeedToBeSaved() throws {
    let describer = Describer { _ in }
    let activity = activity()
    activity.delegate = describer
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    activity.isEligibleForSearch = false
    activity.needsSave = true
    try onLoop { scene.donations.becameCurrent(core) }
    try waitUntil("It was asked") { describer.count.withLock(\.self) == 1 }
    try waitUntil("It needs to be saved") { activity.needsSave }
    try onLoop { scene.stop() }
  }

  @Test func anActivityIsAskedInVainOnce() throws {
    let describer = Describer { _ in }
    let activity = undescribed(describer)
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try waitUntil("It was asked") { describer.count.withLock(\.self) == 1 }
    try waitUntil("It needs to be saved") { activity.needsSave }
    for _ in 0..<3 {
      try onLoop {
        scene.donations.changed(core)
        scene.donations.becameCurrent(core)
      }
      core.callbacks.sync {}
    }
    #expect(describer.count.withLock(\.self) == 1 && activity.needsSave)
    try onLoop { scene.stop() }
  }

  @Test func anActivityIsAskedWhenSomebodyDescribesIt() throws {
    let describer = Describer { $0.isEligibleForSearch = true }
    let activity = undescribed(describer)
    activity.title = "Moby-Dick"
    activity.delegate = nil
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    core.callbacks.sync {}
    activity.delegate = describer
    try onLoop { scene.donations.changed(core) }
    try wait(for: ["Moby-Dick"], in: scene)
    try onLoop { scene.stop() }
  }

  @Test func anActivityThatCannotBeSentIsNotAsked() throws {
    let describer = Describer { _ in }
    let activity = undescribed(describer)
    activity.userInfo = ["object": NSObject()]
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    core.callbacks.sync {}
    #expect(describer.count.withLock(\.self) == 0 && activity.needsSave)
    try onLoop { scene.stop() }
  }

  @Test func anActivityThatEndsWhileItIsSavedIsDonatedOnceAndReplacesNothingLater() throws {
    let isSaving = DispatchSemaphore(value: 0)
    let describer = Describer {
      $0.isEligibleForSearch = true
      isSaving.wait()
    }
    let activity = undescribed(describer)
    activity.title = "One"
    let core = activity.core
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    try waitUntil("It was asked") { describer.count.withLock(\.self) == 1 }
    try onLoop { scene.donations.ended(core.id, core.donation()) }
    isSaving.signal()
    try wait(for: ["One"], in: scene)
    activity.title = "Two"
    try onLoop { scene.donations.becameCurrent(core) }
    try wait(for: ["One", "Two"], in: scene)
    try onLoop {
      #expect(scene.replaced == [nil, nil])
      scene.stop()
    }
  }

  @Test func withoutNeedOrIndexNobodyIsAsked() throws {
    let describer = Describer { $0.isEligibleForSearch = true }
    let activity = undescribed(describer)
    let core = activity.core
    let donations = try onLoop { Donations(IndexQueue(path: "/nonexistent/search.sock")) }
    try onLoop { donations.becameCurrent(core) }
    activity.needsSave = false
    let scene = try onLoop { try Scene() }
    try onLoop { scene.donations.becameCurrent(core) }
    core.callbacks.sync {}
    #expect(describer.count.withLock(\.self) == 0)
    try onLoop { scene.stop() }
  }
}
