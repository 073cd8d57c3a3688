// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Foundation
import Testing

@testable import Baton

@MainActor
struct SaveRoundTests {
  private final class Writer: UserActivityResponder {
    let body: (NSUserActivity) -> Void
    init(_ body: @escaping (NSUserActivity) -> Void = { _ in }) { self.body = body }
    override func updateUserActivityState(_ activity: NSUserActivity) { body(activity) }
  }

  private final class Delegate: NSUserActivityDelegate {
    let body: (NSUserActivity) -> Void
    init(_ body: @escaping (NSUserActivity) -> Void) { self.body = body }
    func userActivityWillSave(_ userActivity: NSUserActivity) { body(userActivity) }
  }

  private final class Application: UserActivityApplicationDelegate {
    func application(_ application: UserActivityApplication, didUpdate userActivity: NSUserActivity) {
      userActivity.addUserInfoEntries(from: ["updated": 1])
    }
  }

  private let activity = NSUserActivity(activityType: "org.example.a")

  /// Asks the app for its state, as another machine's fetch does.
  private static func save(_ activity: NSUserActivity) async {
    let core = activity.core
    await withCheckedContinuation { done in SaveRound.run(core) { done.resume() } }
  }

  /// Expects the app's own values, and that the same ones arrive.
  private func expect(_ userInfo: [String: Int], _ location: SourceLocation = #_sourceLocation) throws {
    #expect(activity.userInfo as? [String: Int] == userInfo, sourceLocation: location)
    #expect(try arrived(activity).userInfo as? [String: Int] ?? [:] == userInfo, sourceLocation: location)
  }

  // MARK: Nobody writes

  @Test func whatAResponderSetDirectlyStays() async throws {
    let responder = UserActivityResponder()
    activity.userInfo = ["a": 1]
    responder.userActivity = activity
    #expect(activity.needsSave)
    for _ in 0..<2 {
      await Self.save(activity)
      #expect(!activity.needsSave)
      try expect(["a": 1])
    }
    responder.userActivity?.addUserInfoEntries(from: ["b": 2])
    await Self.save(activity)
    try expect(["a": 1, "b": 2])
  }

  @Test func addingNothingIsNoWrite() async throws {
    let responders = [Writer(), Writer { $0.addUserInfoEntries(from: [:]) }]
    for responder in responders { responder.userActivity = activity }
    activity.userInfo = ["a": 1]
    await Self.save(activity)
    try expect(["a": 1])
    withExtendedLifetime(responders) {}
  }

  @Test func aValueThatCannotBeSentStaysTheReason() async throws {
    let responder = UserActivityResponder()
    responder.userActivity = activity
    activity.userInfo = ["a": NSObject()]
    await Self.save(activity)
    #expect(activity.userInfo?["a"] is NSObject)
    #expect(throws: HandoffFailure.self) { try activity.core.published() }
  }

  @Test func nothingStaysNothing() async throws {
    let responder = UserActivityResponder()
    responder.userActivity = activity
    await Self.save(activity)
    #expect(activity.userInfo == nil)
  }

  // MARK: Somebody writes

  @Test func onlyWhatIsWrittenRemains() async throws {
    var seen: [[AnyHashable: Any]?] = []
    let one = Writer { activity in
      seen.append(activity.userInfo)
      activity.addUserInfoEntries(from: ["one": 1])
    }
    let two = Writer { activity in
      seen.append(activity.userInfo)
      activity.userInfo?["two"] = 2
    }
    for responder in [one, two] { responder.userActivity = activity }
    activity.userInfo = ["old": 0]
    await Self.save(activity)
    #expect(seen.map { $0 as? [String: Int] } == [[:], ["one": 1]])
    try expect(["one": 1, "two": 2])
    // The next round begins with nothing again.
    await Self.save(activity)
    #expect(seen[2]?.isEmpty == true)
    try expect(["one": 1, "two": 2])
  }

  @Test func anExplicitNothingIsAWrite() async throws {
    var value: [AnyHashable: Any]?
    let responder = Writer { $0.userInfo = value }
    responder.userActivity = activity
    activity.userInfo = ["old": 0]
    await Self.save(activity)
    #expect(activity.userInfo == nil)
    activity.userInfo = ["old": 0]
    value = [:]
    await Self.save(activity)
    #expect(activity.userInfo?.isEmpty == true)
  }

  @Test func aDelegateWrites() async throws {
    var seen: [[String: Int]?] = []
    let delegate = Delegate { activity in
      seen.append(activity.userInfo as? [String: Int])
      activity.addUserInfoEntries(from: ["new": 1])
    }
    activity.delegate = delegate
    activity.userInfo = ["old": 0]
    await Self.save(activity)
    try expect(["old": 0, "new": 1])
    // A responder that writes nothing takes nothing away.
    let responder = UserActivityResponder()
    responder.userActivity = activity
    await Self.save(activity)
    try expect(["old": 0, "new": 1])
    // One that writes replaces what was there before, and not what the delegate has just written.
    let writer = Writer { activity in
      seen.append(activity.userInfo as? [String: Int])
      activity.addUserInfoEntries(from: ["written": 2])
    }
    writer.userActivity = activity
    await Self.save(activity)
    try expect(["new": 1, "written": 2])
    #expect(seen == [["old": 0], ["old": 0, "new": 1], ["old": 0, "new": 1], ["new": 1]])
    withExtendedLifetime(delegate) {}
  }

  @Test func theApplicationsDelegateWrites() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let application = Application()
        UserActivityApplication.shared.delegate = application
        let activity = NSUserActivity(activityType: "org.example.a")
        let responder = UserActivityResponder()
        responder.userActivity = activity
        activity.userInfo = ["old": 0]
        await Self.save(activity)
        #expect(activity.userInfo as? [String: Int] == ["updated": 1])
        withExtendedLifetime(application) {}
      }
    }
  }

  @Test func aDocumentAddsItsFileToWhatIsThere() async throws {
    let url = URL(fileURLWithPath: "/tmp/a.txt")
    let document = UserActivityDocument(fileURL: url)
    document.userActivity = activity
    activity.userInfo = ["page": 1]
    await Self.save(activity)
    #expect(activity.userInfo?.count == 2 && activity.userInfo?["page"] as? Int == 1)
    #expect(activity.userInfo?[NSUserActivityDocumentURLKey] as? URL == url)
    // If somebody else writes, only that and the file remain.
    let responder = Writer { $0.addUserInfoEntries(from: ["line": 2]) }
    responder.userActivity = activity
    await Self.save(activity)
    #expect(activity.userInfo?.count == 2 && activity.userInfo?["line"] as? Int == 2)
    #expect(try arrived(activity).userInfo?[NSUserActivityDocumentURLKey] as? URL == url)
  }

  @Test func aDocumentOfUIKitAlwaysHasAFile() async throws {
    let document = UIDocument(fileURL: URL(fileURLWithPath: "/tmp/a.txt"))
    document.userActivity = activity
    let name: String = document.fileURL.lastPathComponent
    #expect(name == "a.txt")
    activity.needsSave = false
    let url = URL(fileURLWithPath: "/tmp/b.txt")
    document.fileURL = url
    #expect(activity.needsSave)
    await Self.save(activity)
    #expect(activity.userInfo?[UIDocument.userActivityURLKey] as? URL == url)
    document.close()
    #expect(document.userActivity == nil && document.fileURL == url)
  }

  // MARK: Meanwhile

  @Test func anotherThreadWritesWithoutLoss() async throws {
    let core = activity.core
    let seen = Locked<[[String: Int]?]>([])
    let delegate = Delegate { _ in
      let isDone = DispatchSemaphore(value: 0)
      nonisolated(unsafe) var other: [String: Int]?
      Thread.detachNewThread {
        other = core.userInfo as? [String: Int]
        core.activity?.addUserInfoEntries(from: ["meanwhile": 1])
        isDone.signal()
      }
      isDone.wait()
      seen.withLock { $0.append(other) }
    }
    activity.delegate = delegate
    let responder = UserActivityResponder()
    responder.userActivity = activity
    activity.userInfo = ["old": 0]
    await Self.save(activity)
    try expect(["old": 0, "meanwhile": 1])
    let writer = Writer { $0.addUserInfoEntries(from: ["written": 2]) }
    writer.userActivity = activity
    activity.userInfo = ["old": 0]
    await Self.save(activity)
    try expect(["written": 2, "meanwhile": 1])
    // It never saw an empty dictionary.
    #expect(seen.withLock(\.self) == [["old": 0], ["old": 0]])
    withExtendedLifetime(delegate) {}
  }

  @Test func othersMustAskWhileARoundRuns() async throws {
    let core = activity.core
    let seen = Locked<[Bool]>([])
    let delegate = Delegate { activity in
      let values = [activity.needsSave, (try? core.published().needsSave) ?? false]
      seen.withLock { $0 += values }
    }
    activity.delegate = delegate
    activity.needsSave = true
    await Self.save(activity)
    #expect(seen.withLock(\.self) == [false, true])
    #expect(try !core.published().needsSave)
    withExtendedLifetime(delegate) {}
  }

  @Test func theMainThreadAndADelegateWriteAtOnce() async throws {
    let core = activity.core
    let delegate = Delegate { _ in
      DispatchQueue.main.sync { core.activity?.userInfo = ["fresh": 1] }
    }
    activity.delegate = delegate
    let responder = UserActivityResponder()
    responder.userActivity = activity
    activity.userInfo = ["old": 0]
    await Self.save(activity)
    try expect(["fresh": 1])
    withExtendedLifetime(delegate) {}
  }

  @Test func aMainThreadThatOnlyWaitsTakesNothingAway() throws {
    let delegate = Delegate { $0.addUserInfoEntries(from: ["delegate": 1]) }
    activity.delegate = delegate
    var count = 0
    let writer = Writer { _ in count += 1 }
    writer.userActivity = activity
    activity.userInfo = ["old": 0]
    let isDone = DispatchSemaphore(value: 0)
    SaveRound.run(activity.core) { isDone.signal() }
    // The test runs on the main thread.
    #expect(isDone.wait(timeout: .now() + 20) == .success)
    try expect(["old": 0, "delegate": 1])
    #expect(activity.needsSave && count == 0, "The writer is asked the next time")
    withExtendedLifetime((delegate, writer)) {}
  }

  @Test func noEntryOfManyThreadsIsLost() async throws {
    let responder = UserActivityResponder()
    responder.userActivity = activity
    let core = activity.core
    let writers = Task.detached {
      DispatchQueue.concurrentPerform(iterations: 4) { thread in
        for number in 0..<50 { core.activity?.addUserInfoEntries(from: ["\(thread) \(number)": number]) }
      }
    }
    for _ in 0..<20 { await Self.save(activity) }
    await writers.value
    #expect(activity.userInfo?.count == 200)
  }

  @Test func anActivityMayEndInItsRound() async throws {
    var asked = 0
    let responder = Writer { _ in asked += 1 }
    let delegate = Delegate { $0.invalidate() }
    responder.userActivity = activity
    activity.delegate = delegate
    activity.userInfo = ["a": 1]
    await Self.save(activity)
    #expect(asked == 0)
    try expect(["a": 1])
    withExtendedLifetime(delegate) {}
  }

  @Test func anActivityMayBeReleasedInItsRound() async throws {
    var activity: NSUserActivity? = NSUserActivity(activityType: "org.example.a")
    let responder = Writer()
    responder.userActivity = activity
    let core = try #require(activity?.core)
    core.callbacks.suspend()
    async let saved: Void = withCheckedContinuation { done in SaveRound.run(core) { done.resume() } }
    responder.userActivity = nil
    activity = nil
    core.callbacks.resume()
    await saved
    #expect(core.activity == nil)
  }

  @Test func aRoundOfOneActivityDoesNotEmptyAnother() async throws {
    let other = NSUserActivity(activityType: "org.example.b")
    let responder = Writer { activity in
      #expect(activity.userInfo?.isEmpty == true)
      #expect(other.userInfo as? [String: Int] == ["b": 1])
      other.addUserInfoEntries(from: ["c": 2])
    }
    responder.userActivity = activity
    activity.userInfo = ["a": 1]
    other.userInfo = ["b": 1]
    await Self.save(activity)
    try expect(["a": 1])
    #expect(other.userInfo as? [String: Int] == ["b": 1, "c": 2])
  }
}
