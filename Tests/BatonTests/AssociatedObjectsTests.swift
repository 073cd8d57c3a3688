// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Baton

@MainActor
struct AssociatedObjectsTests {
  private final class Part: UserActivityUpdating {
    func updateUserActivityState(_ activity: NSUserActivity) {}
  }

  @Test func objectsAreAskedInTheOrderInWhichTheyCame() {
    var objects = AssociatedObjects()
    let (one, two) = (Part(), Part())
    objects.add(two)
    objects.add(one)
    objects.add(two)
    #expect(objects.objects.map { ObjectIdentifier($0) } == [ObjectIdentifier(two), ObjectIdentifier(one)])
  }

  @Test func onlyTheLastThatGoesIsTheLast() {
    var objects = AssociatedObjects()
    let parts = [Part(), Part()]
    for part in parts { objects.add(part) }
    let areLast = [parts[0], parts[0], parts[1], parts[1]].map { objects.remove(ObjectIdentifier($0)) }
    #expect(areLast == [false, false, true, false])
  }

  @Test func objectsAreNotRetained() {
    var objects = AssociatedObjects()
    var part: Part? = Part()
    weak let reference = part
    part.map { objects.add($0) }
    part = nil
    #expect(reference == nil)
    #expect(objects.objects.isEmpty)
  }

  @Test func anActivityIsInvalidWithoutItsLastResponder() {
    let activity = NSUserActivity(activityType: "org.example.a")
    var one: UserActivityResponder? = UserActivityResponder()
    let two = UserActivityResponder()
    one?.userActivity = activity
    two.userActivity = activity
    #expect(activity.needsSave)
    one = nil
    #expect(!activity.core.isInvalid)
    two.userActivity = NSUserActivity(activityType: "org.example.b")
    #expect(activity.core.isInvalid)
    #expect(two.userActivity?.activityType == "org.example.b")
  }

  @Test func aFirstResponderIsNotRetained() {
    var view: UserActivityResponder? = UserActivityResponder()
    weak let reference = view
    view?.becomeFirstResponder()
    #expect(view?.isFirstResponder == true)
    view = nil
    #expect(reference == nil)
  }
}
