// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import SeededGenerator
import TestSupport

@testable import Baton

/// An app that makes random calls, and the model that must agree with it.
@MainActor
final class RandomApp {
  private final class Delegate: NSUserActivityDelegate {
    let saving: CallModel.Saving
    init(_ saving: CallModel.Saving) { self.saving = saving }
    func userActivityWillSave(_ userActivity: NSUserActivity) { saving.perform(userActivity) }
    func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {}
  }

  private final class Responder: UserActivityResponder {
    let saving: CallModel.Saving
    init(_ saving: CallModel.Saving) { self.saving = saving }
    override func updateUserActivityState(_ activity: NSUserActivity) { saving.perform(activity) }
  }

  private var model = CallModel()
  private var generator: SeededGenerator
  private var activities: [Int: NSUserActivity] = [:]
  private var delegates: [Int: Delegate] = [:]
  private var responders: [Int: Responder] = [:]
  private var count = 0
  private let daemon: ObservedDaemon
  /// The calls so far, for whoever looks into a failure.
  private var calls: [String] = []

  init(seed: UInt64, _ daemon: ObservedDaemon) {
    generator = SeededGenerator(seed: seed)
    self.daemon = daemon
  }

  /// Makes calls, and expects after each few of them what the model says.
  func run() async throws {
    do {
      for _ in 0..<60 {
        for _ in 0..<number(1...4) { call() }
        try await expectModel()
        if number(0...1) == 0 { try await beContinued() }
      }
      try await end()
    } catch {
      throw TestFailure("\(error) after \(calls.joined(separator: "; "))")
    }
  }

  private func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &generator) }
  private func saving() -> CallModel.Saving { CallModel.Saving.allCases.randomElement(using: &generator) ?? .nothing }

  private func call() {
    let activity = activities.keys.sorted().randomElement(using: &generator)
    let responder = responders.keys.sorted().randomElement(using: &generator)
    switch number(0...23) {
    case 0, 1: makeActivity()
    case 2: makeResponder()
    case 3, 4, 5, 6, 7, 8, 9, 10, 11: if let activity { change(activity) }
    case 12, 13, 14:
      guard let activity else { return }
      note("\(activity) becomes current")
      activities[activity]?.becomeCurrent()
      model.becomeCurrent(activity)
    case 15:
      guard let activity else { return }
      note("\(activity) resigns")
      activities[activity]?.resignCurrent()
      model.resign(activity)
    case 16: if let activity { end(activity) }
    case 17, 18, 19: if let responder { assign(number(0...4) == 0 ? nil : activity, responder) }
    case 20, 21:
      guard let responder else { return }
      note("responder \(responder) becomes first")
      responders[responder]?.becomeFirstResponder()
      model.becomeFirst(responder)
    case 22:
      guard let responder else { return }
      let next = number(0...3) == 0 ? nil : responders.keys.sorted().randomElement(using: &generator)
      note("responder \(responder) leads to \(next.map(String.init) ?? "nothing")")
      responders[responder]?.nextResponder = next.flatMap { responders[$0] }
      model.connect(responder, to: next)
    default: if let responder { endResponder(responder) }
    }
  }

  private func note(_ call: String) { calls.append(call) }

  // MARK: Activities

  private func makeActivity() {
    count += 1
    let saving = saving()
    let activity = NSUserActivity(activityType: "org.example.a\(count)")
    delegates[count] = Delegate(saving)
    activity.delegate = delegates[count]
    activities[count] = activity
    // An activity without a title is saved before it is offered, which the model does not do.
    activity.title = "\(count)"
    model.activities[count] = CallModel.Activity(number: count, saving: saving, title: "\(count)")
    note("make \(count), which saves \(saving)")
  }

  private func change(_ number: Int) {
    guard let activity = activities[number] else { return }
    let value = self.number(0...99)
    let key = ["a", "b", "c"].randomElement(using: &generator) ?? ""
    let kind = self.number(0...11)
    note("change \(number) by \(kind) with \(key) and \(value)")
    switch kind {
    case 0:
      activity.title = "\(value)"
      model.activities[number]?.title = "\(value)"
    case 1, 2:
      activity.userInfo = [key: value]
      model.activities[number]?.userInfo = [key: value]
    case 3:
      activity.userInfo = nil
      model.activities[number]?.userInfo = nil
    case 4, 5:
      activity.addUserInfoEntries(from: [key: value])
      let old = model.activities[number]?.userInfo ?? [:]
      model.activities[number]?.userInfo = old.merging([key: value]) { $1 }
    case 6, 7:
      activity.needsSave = value % 4 > 0
      model.activities[number]?.needsSave = value % 4 > 0
    case 8:
      let url = value % 4 > 0 ? "https://example.org/\(value)" : nil
      activity.webpageURL = url.flatMap(URL.init(string:))
      model.activities[number]?.webpageURL = url
    case 9:
      activity.isEligibleForHandoff = value % 3 > 0
      model.activities[number]?.isEligible = value % 3 > 0
    case 10:
      let keys: Set<String>? = value % 3 > 0 ? [key] : nil
      activity.requiredUserInfoKeys = keys
      model.activities[number]?.requiredKeys = keys
    default:
      // It cannot be sent until userInfo is replaced. The app's own value stays.
      activity.userInfo = [key: NSObject()]
      model.activities[number]?.userInfo = [key: -1]
    }
  }

  private func end(_ number: Int) {
    if self.number(0...2) == 0 {
      note("invalidate \(number)")
      activities[number]?.invalidate()
      model.invalidate(number)
    } else {
      note("release \(number)")
      activities[number] = nil
      model.release(number)
    }
  }

  // MARK: Responders

  private func makeResponder() {
    count += 1
    let saving = saving()
    note("make responder \(count), which saves \(saving)")
    responders[count] = Responder(saving)
    model.responders[count] = CallModel.Responder(saving: saving)
  }

  private func assign(_ activity: Int?, _ responder: Int) {
    note("responder \(responder) gets \(activity.map(String.init) ?? "nothing")")
    responders[responder]?.userActivity = activity.flatMap { activities[$0] }
    model.assign(activity, to: responder)
  }

  private func endResponder(_ responder: Int) {
    if number(0...1) == 0 {
      note("responder \(responder) resigns")
      responders[responder]?.resignFirstResponder()
      model.resignFirst(responder)
    } else {
      note("release responder \(responder)")
      responders[responder] = nil
      model.releaseResponder(responder)
    }
  }

  // MARK: Other machines

  private func beContinued() async throws {
    guard let published = model.published, published.isEligible else { return }
    try await mark(published.number)
    if published.needsSave {
      note("fetch \(published.number)")
      let saved = await daemon.savedCount
      await daemon.fetch()
      model.save()
      try await settle("The state of \(published.number) was saved") { await daemon.savedCount > saved }
      try await expectModel()
    }
    guard number(0...2) == 0 else { return }
    note("take \(published.number)")
    await daemon.take()
    model.current = nil
    try await expectModel()
  }

  /// Waits until the daemon has everything that the app has called. What it has may be equal before.
  private func mark(_ number: Int) async throws {
    await Task { @Loop in }.value
    let title = "mark \(calls.count)"
    note(title)
    activities[number]?.title = title
    responders.values.lazy.compactMap(\.userActivity).first { $0.activityType == "org.example.a\(number)" }?.title =
      title
    model.activities[number]?.title = title
    try await expectModel()
  }

  // MARK: The model

  private func expectModel() async throws {
    let expected = model.published
    try await settle("\(expected.map { "\($0)" } ?? "nothing") is published") {
      let current = await daemon.current
      return Self.agree(current, expected)
    }
    for (number, activity) in activities {
      guard let expected = model.activities[number] else { throw TestFailure("The model has no \(number)") }
      try expectProperties(of: activity, expected)
    }
  }

  private static func agree(_ current: ControlActivity?, _ expected: CallModel.Activity?) -> Bool {
    guard let current, let expected else { return current == nil && expected == nil }
    let entries = (expected.userInfo ?? [:]).mapValues { JSON.integer(Int64($0)) }
    return current.activityType == "org.example.a\(expected.number)" && current.title == expected.title
      && current.userInfo ?? [:] == .object(entries) && current.webpageURL == expected.webpageURL
      && current.needsSave == expected.needsSave && current.isEligibleForHandoff == expected.isEligible
  }

  private func expectProperties(of activity: NSUserActivity, _ expected: CallModel.Activity) throws {
    let userInfo = activity.userInfo.map { pairs in
      Dictionary(uniqueKeysWithValues: pairs.map { ($0.key as? String ?? "", $0.value as? Int ?? -1) })
    }
    guard activity.title == expected.title, userInfo == expected.userInfo,
      activity.webpageURL?.absoluteString == expected.webpageURL, activity.needsSave == expected.needsSave,
      activity.isEligibleForHandoff == expected.isEligible, activity.requiredUserInfoKeys == expected.requiredKeys,
      activity.core.isInvalid == expected.isInvalid
    else {
      throw TestFailure("\(expected) has \(userInfo ?? [:]), \(activity.core.contents), \(activity.core.isInvalid)")
    }
  }

  /// Releases everything.
  private func end() async throws {
    UserActivityApplication.shared.firstResponder = nil
    responders = [:]
    activities = [:]
    try await settle("Nothing is published") { await daemon.current == nil }
  }
}
