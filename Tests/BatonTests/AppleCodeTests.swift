// SPDX-License-Identifier: Apache-2.0

import AppleCode5
import AppleCode6
import Foundation
import Testing

@testable import Baton

/// Application delegates are called in each way of writing them.
@MainActor
struct AppleCodeTests {
  private func continued(_ delegate: any UserActivityApplicationDelegate, _ activity: NSUserActivity) -> Bool {
    let handler: ([any UserActivityRestoring]?) -> Void = { objects in
      for object in objects ?? [] { object.restoreUserActivityState(activity) }
    }
    return delegate.application(.shared, continue: activity, restorationHandler: handler)
  }

  private var page: NSUserActivity {
    let activity = NSUserActivity(activityType: NSUserActivityTypeBrowsingWeb)
    activity.webpageURL = URL(string: "https://example.com/product/1")
    return activity
  }

  @Test func delegatesOfUIKitAreCalled() {
    let old = AppleCode5.AppDelegate()
    #expect(continued(old, page))
    #expect(old.calls == ["continue"])
    let new = AppleCode6.AppDelegate()
    #expect(continued(new, page))
    #expect(new.calls == ["continue"])
  }

  @Test func delegatesOfAppKitAreCalled() {
    let old = AppleCode5.MacAppDelegate()
    #expect(continued(old, page))
    #expect(old.calls == ["continue"])
    let new = AppleCode6.MacAppDelegate()
    #expect(continued(new, page))
    #expect(new.calls == ["continue"])
  }

  @Test func otherCallsReachADelegateThroughTheProtocol() {
    let delegate = AppleCode5.AppDelegate()
    let activity = page
    let it: any UserActivityApplicationDelegate = delegate
    #expect(it.application(.shared, willContinueUserActivityWithType: "a"))
    it.application(.shared, didFailToContinueUserActivityWithType: "a", error: CocoaError(.userCancelled))
    it.application(.shared, didUpdate: activity)
    #expect(delegate.calls == ["willContinue", "didFail", "didUpdate"])
    #expect(activity.userInfo?["version"] as? Int == 2)
  }
}
