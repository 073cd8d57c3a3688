// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// What an app's activities must contain, and which of them must be offered, after any calls of the public interface.
struct CallModel {
  enum Saving: CaseIterable { case nothing, adding, addingNothing, replacing, removing, askingAgain }

  struct Activity {
    let number: Int
    let saving: Saving
    var title: String?
    var userInfo: [String: Int]?
    /// A value of -1 stands for one that cannot be sent.
    var isLegal: Bool { userInfo?.values.contains(-1) != true }
    var requiredKeys: Set<String>?
    var webpageURL: String?
    var needsSave = false
    var isEligible = true
    var isInvalid = false
    /// Whether the app holds it itself.
    var isHeld = true
  }

  struct Responder {
    let saving: Saving
    var activity: Int?
    var next: Int?
  }

  var activities: [Int: Activity] = [:]
  var responders: [Int: Responder] = [:]
  /// The responders of each activity, in the order in which they came.
  var associated: [Int: [Int]] = [:]
  var current: Int?
  var first: Int?
  /// The activity that the chain made current.
  var currentOfChain: Int?

  /// The activity that the daemon must have.
  var published: Activity? { current.flatMap { activities[$0] }.flatMap { $0.isLegal ? $0 : nil } }

  // MARK: Activities

  mutating func becomeCurrent(_ activity: Int) {
    if activities[activity]?.isInvalid == false { current = activity }
  }

  mutating func resign(_ activity: Int) { if current == activity { current = nil } }

  mutating func invalidate(_ activity: Int) {
    activities[activity]?.isInvalid = true
    if current == activity { current = nil }
  }

  /// The app forgets an activity.
  mutating func release(_ activity: Int) {
    activities[activity]?.isHeld = false
    releaseUnused(activity)
  }

  private mutating func releaseUnused(_ activity: Int) {
    guard activities[activity]?.isHeld == false, !responders.values.contains(where: { $0.activity == activity }) else {
      return
    }
    invalidate(activity)
    activities[activity] = nil
    if currentOfChain == activity { currentOfChain = nil }
  }

  // MARK: Responders

  mutating func assign(_ activity: Int?, to responder: Int) {
    let old = responders[responder]?.activity
    guard activity != old else { return }
    responders[responder]?.activity = activity
    if let activity {
      associated[activity, default: []].append(responder)
      activities[activity]?.needsSave = true
    }
    if let old { dissociate(responder, from: old) }
    changed(responder)
  }

  private mutating func dissociate(_ responder: Int, from activity: Int) {
    associated[activity]?.removeAll { $0 == responder }
    if associated[activity]?.isEmpty == true {
      associated[activity] = nil
      invalidate(activity)
    }
    releaseUnused(activity)
  }

  mutating func releaseResponder(_ responder: Int) {
    let activity = responders.removeValue(forKey: responder)?.activity
    for other in responders.keys where responders[other]?.next == responder { responders[other]?.next = nil }
    if first == responder { first = nil }
    if let activity { dissociate(responder, from: activity) }
  }

  mutating func connect(_ responder: Int, to next: Int?) {
    responders[responder]?.next = next
    changed(responder)
  }

  mutating func becomeFirst(_ responder: Int) {
    first = responder
    chainChanged()
  }

  mutating func resignFirst(_ responder: Int) {
    guard first == responder else { return }
    first = nil
    chainChanged()
  }

  private var chain: [Int] {
    var chain: [Int] = []
    var next = first
    while let responder = next, !chain.contains(responder) {
      chain.append(responder)
      next = responders[responder]?.next
    }
    return chain
  }

  private var activityOfChain: Int? {
    chain.lazy.compactMap { responders[$0]?.activity }.first { activities[$0]?.isInvalid == false }
  }

  private mutating func changed(_ responder: Int) {
    if chain.contains(responder), activityOfChain != currentOfChain { chainChanged() }
  }

  private mutating func chainChanged() {
    let activity = activityOfChain
    if let activity { becomeCurrent(activity) } else if let currentOfChain { resign(currentOfChain) }
    currentOfChain = activity
  }

  // MARK: Saving

  /// Another machine fetches the current activity.
  mutating func save() {
    guard let current, var activity = activities[current] else { return }
    activity.needsSave = false
    let before = activity.userInfo
    let objects = associated[current] ?? []
    if !objects.isEmpty { activity.userInfo = [:] }
    var isWritten = false
    for saving in [activity.saving] + objects.compactMap({ responders[$0]?.saving }) {
      if Self.write(saving, &activity) { isWritten = true }
    }
    if !objects.isEmpty, !isWritten { activity.userInfo = before }
    activities[current] = activity
  }

  private static func write(_ saving: Saving, _ activity: inout Activity) -> Bool {
    switch saving {
    case .nothing, .addingNothing: return false
    case .adding: activity.userInfo = (activity.userInfo ?? [:]).merging(["added": 1]) { $1 }
    case .replacing: activity.userInfo = ["replaced": 2]
    case .removing: activity.userInfo = nil
    case .askingAgain:
      activity.needsSave = true
      return false
    }
    return true
  }
}

extension CallModel.Saving {
  /// What a delegate or a responder does with the activity that is saved.
  func perform(_ activity: NSUserActivity) {
    switch self {
    case .nothing: break
    case .addingNothing: activity.addUserInfoEntries(from: [:])
    case .adding: activity.addUserInfoEntries(from: ["added": 1])
    case .replacing: activity.userInfo = ["replaced": 2]
    case .removing: activity.userInfo = nil
    case .askingAgain: activity.needsSave = true
    }
  }
}
