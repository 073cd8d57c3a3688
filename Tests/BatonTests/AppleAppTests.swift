// SPDX-License-Identifier: Apache-2.0

import AppleCode5
import AppleCode6
import ControlInterface
import Foundation
import JSONCoding
import TestSupport
import Testing

@testable import Baton

/// What published apps do has the effect that it has on Apple's platforms.
@MainActor
struct AppleAppTests {
  private static func expect(
    _ daemon: ObservedDaemon,
    _ type: String,
    _ userInfo: JSON,
    needsSave: Bool? = nil
  ) async throws {
    try await settle("\(type) is published with \(userInfo)") {
      let current = await daemon.current
      return current?.activityType == type && current?.userInfo == userInfo
        && (needsSave ?? current?.needsSave) == current?.needsSave
    }
  }

  /// Another machine fetches the state.
  private static func fetch(_ daemon: ObservedDaemon) async throws {
    let saved = await daemon.savedCount
    await daemon.fetch()
    try await settle("The state was saved") { await daemon.savedCount > saved }
  }

  // MARK: UIKit

  @Test func aControllerThatOverridesNothingKeepsItsUserInfo() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { daemon in
        let type = "com.example.gallery.photo"
        let scene = UIWindowScene()
        let delegate = AppleCode5.SceneDelegate()
        scene.delegate = delegate
        UIApplication.shared.connect(scene)
        let controller = try #require(delegate.window?.rootViewController as? AppleCode5.GalleryViewController)
        #expect(controller.isViewLoaded)
        controller.show(photo: "sunset")
        try await Self.expect(daemon, type, ["name": "sunset", "id": 7], needsSave: true)
        for _ in 0..<2 {
          try await Self.fetch(daemon)
          try await Self.expect(daemon, type, ["name": "sunset", "id": 7], needsSave: false)
          #expect(controller.userActivity?.userInfo?.count == 2)
          controller.userActivity?.needsSave = true
          try await Self.expect(daemon, type, ["name": "sunset", "id": 7], needsSave: true)
        }
        controller.viewWillDisappear(false)
        try await settle("It is withdrawn") { await daemon.current == nil }
      }
    }
  }

  @Test func aSceneIsRestored() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let session = UISceneSession()
        let activity = NSUserActivity(activityType: "com.example.gallery.photo")
        activity.userInfo = ["name": "sunset"]
        for isRestored in [false, true] {
          let options = UIScene.ConnectionOptions(userActivities: isRestored ? [] : [activity])
          let scene = UIWindowScene(session: session, connectionOptions: options)
          let delegate = AppleCode5.SceneDelegate()
          scene.delegate = delegate
          UIApplication.shared.connect(scene)
          UIApplication.shared.connect(scene)
          #expect(delegate.calls == ["willConnect"] && session.scene === scene)
          #expect((delegate.window?.rootViewController as? AppleCode5.GalleryViewController)?.photo == "sunset")
          scene.userActivity = activity
          UIApplication.shared.disconnect(scene)
          UIApplication.shared.disconnect(scene)
          #expect(delegate.calls == ["willConnect", "stateRestoration", "didDisconnect"])
          #expect(session.stateRestorationActivity === activity)
          #expect(UIApplication.shared.connectedScenes.isEmpty)
        }
      }
    }
  }

  @Test func aRequestedSceneIsTheOneThatContinues() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let activity = NSUserActivity(activityType: "com.example.gallery.photo")
        activity.userInfo = ["name": "sunset"]
        var failures: [any Error] = []
        let newest = AppleCode6.SceneDelegate()
        newest.openAgain(activity, in: nil) { failures.append($0) }
        newest.openAgain(activity, in: UISceneSession()) { failures.append($0) }
        #expect(failures.map { ($0 as? CocoaError)?.code } == [.featureUnsupported, .featureUnsupported])

        let (scene, other) = (UIWindowScene(), UIWindowScene())
        let delegate = AppleCode5.SceneDelegate()
        scene.delegate = delegate
        other.delegate = newest
        for scene in [scene, other] { UIApplication.shared.connect(scene) }
        newest.openAgain(activity, in: scene.session) { failures.append($0) }
        #expect(delegate.calls == ["willConnect", "continue"])
        let gallery = try #require(delegate.window?.rootViewController as? AppleCode5.GalleryViewController)
        #expect(gallery.photo == "sunset" && UIApplication.shared.receivingScene === scene)
        gallery.openInNewWindow(activity)
        #expect(delegate.calls == ["willConnect", "continue", "continue"] && failures.count == 2)
        for scene in [scene, other] { UIApplication.shared.disconnect(scene) }
        UIApplication.shared.firstResponder = nil
      }
    }
  }

  @Test func aSceneThatIsNoLongerWantedIsDisconnected() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let application = UIApplication.shared
        let scene = UIWindowScene()
        let delegate = AppleCode5.SceneDelegate()
        scene.delegate = delegate
        #expect(scene.activationState == .unattached)
        application.connect(scene)
        #expect(scene.activationState == .foregroundActive && application.openSessions == [scene.session])
        var failures: [any Error] = []
        application.requestSceneSessionDestruction(scene.session, options: nil) { failures.append($0) }
        #expect(delegate.calls.suffix(2) == ["stateRestoration", "didDisconnect"] && failures.isEmpty)
        application.requestSceneSessionDestruction(scene.session, options: nil) { failures.append($0) }
        #expect(failures.count == 1 && application.connectedScenes.isEmpty)
        let tasks = (0..<2).map { _ in application.beginBackgroundTask() }
        #expect(Set(tasks).count == 2 && !tasks.contains(.invalid))
        application.firstResponder = nil
      }
    }
  }

  @Test func aSceneOfTheSwift6ModeContinuesAndSaves() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { daemon in
        let scene = UIWindowScene()
        let delegate = AppleCode6.SceneDelegate()
        scene.delegate = delegate
        UIApplication.shared.connect(scene)
        let note = NSUserActivity(activityType: "com.example.note")
        note.userInfo = ["text": "continued"]
        #expect(ApplicationAdapter().receiver(Self.receiver, continue: note))
        let controller = try #require(delegate.window?.rootViewController as? AppleCode6.NoteViewController)
        #expect(controller.state.text == "continued")
        // It has no title, so it was asked before.
        try await Self.expect(daemon, "com.example.note", ["text": "continued"], needsSave: true)
        try await Self.fetch(daemon)
        try await Self.expect(daemon, "com.example.note", ["text": "continued"], needsSave: false)
        #expect(delegate.stateRestorationActivity(for: scene) === controller.userActivity)
        UIApplication.shared.disconnect(scene)
        UIApplication.shared.firstResponder = nil
      }
    }
  }

  @Test func launchingReachesTheDelegateOfEachFramework() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let (old, new) = (AppleCode5.SceneAppDelegate(), AppleCode6.SceneAppDelegate())
        let mac = AppleCode5.DocumentAppDelegate()
        for delegate in [old, new, mac] as [any UserActivityApplicationDelegate] {
          UIApplication.shared.delegate = delegate
          UIApplication.shared.finishLaunching()
        }
        UIApplication.shared.delegate = nil
        UIApplication.shared.firstResponder = nil
        #expect(old.launched == 1 && new.launched == 1 && mac.launched == 1)
      }
    }
  }

  // MARK: Plain classes

  @Test func aPlainManagerAdvertisesForAResponder() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { daemon in
        let (one, two) = (UIViewController(), UIViewController())
        let info: JSON = ["a": 1, "saved": true]
        AppleCode5.HandoffManager.shared.advertise("com.example.five", userInfo: ["a": 1], on: one)
        try await Self.expect(daemon, "com.example.five", ["a": 1])
        try await Self.fetch(daemon)
        // What the delegate adds replaces nothing.
        try await Self.expect(daemon, "com.example.five", info)
        AppleCode6.HandoffManager.shared.advertise(["a": 1], on: two)
        // It has no title, so it was asked before.
        try await Self.expect(daemon, "com.example.managed", info, needsSave: true)
        try await Self.fetch(daemon)
        try await Self.expect(daemon, "com.example.managed", info, needsSave: false)
        let three = AppleCode5.ContinuableController()
        three.beginHandoff(["page": 3])
        try await Self.expect(daemon, "com.example.continuable", ["page": 3])
        try await Self.fetch(daemon)
        try await Self.expect(daemon, "com.example.continuable", ["page": 3], needsSave: false)
        UIApplication.shared.firstResponder = nil
      }
    }
  }

  @Test func plainClassesTakePartThroughTheirProtocols() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let (old, new) = (AppleCode5.Coordinator(), AppleCode6.Coordinator())
        let activity = NSUserActivity(activityType: "com.example.a")
        let isContinued = AppleCode5.continueLater(old, activity)
        #expect(isContinued)
        AppleCode5.restoreEverything(activity, old, new)
        let scene = UIScene()
        scene.delegate = old
        UIApplication.shared.connect(scene)
        #expect(ApplicationAdapter().receiver(Self.receiver, continue: activity))
        UIApplication.shared.disconnect(scene)
        #expect(old.restored == ["com.example.a", "com.example.a", "com.example.a"])
        #expect(new.restored == ["com.example.a"])
      }
    }
  }

  private static var receiver: UserActivityReceiver {
    UserActivityReceiver(activityTypes: [], queue: .main, delegate: ApplicationAdapter())
  }

  // MARK: AppKit

  @Test func aWindowControllerAndItsFirstResponder() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { daemon in
        let delegate = AppleCode5.DocumentAppDelegate()
        NSApp.delegate = delegate
        NSApp.finishLaunching()
        let type = "com.example.mac.reading"
        try await Self.expect(daemon, type, [:], needsSave: true)
        let controller = try #require(delegate.windowController)
        #expect(delegate.reader(of: NSApp) != nil && NSApp.mainWindow === controller.window)
        controller.chapter = 5
        try await Self.fetch(daemon)
        try await Self.expect(daemon, type, ["chapter": 5], needsSave: false)
        // The view does not call `super` in `becomeFirstResponder()`.
        let reading = try #require(controller.contentViewController as? AppleCode5.ReadingViewController)
        reading.viewDidAppear()
        try await Self.expect(daemon, "com.example.mac.selection", ["location": 0])
        controller.window?.makeFirstResponder(nil)
        try await Self.expect(daemon, type, ["chapter": 5])
        NSApp.firstResponder = nil
        #expect(NSApp.keyWindow == nil)
      }
    }
  }

  @Test func anAppThatBlocksWhileItSavesSavesWhatArrives() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { daemon in
        let bridge = AppleCode5.BlockingBridge(type: "com.example.electron", userInfo: ["a": 1])
        bridge.onAsked = { $0.updateCurrentActivity(["b": 2]) }
        bridge.activity.becomeCurrent()
        try await Self.expect(daemon, "com.example.electron", ["a": 1], needsSave: true)
        for _ in 0..<2 {
          try await Self.fetch(daemon)
          // It asks to be asked again.
          try await Self.expect(daemon, "com.example.electron", ["a": 1, "b": 2], needsSave: true)
        }
        bridge.activity.invalidate()
      }
    }
  }

  // MARK: Failures

  private final class Failures: UserActivityDelegateObject {
    private let list = Locked<[Int]>([])
    var codes: [Int] { list.withLock(\.self) }
    override func userActivity(_ userActivity: NSUserActivity, didFailToBecomeCurrentWithError error: any Error) {
      list.withLock { $0.append((error as NSError).code) }
    }
  }

  @Test func eachCallThatFailsSaysSo() async {
    await #expect(processExitsWith: .success) {
      await withDaemon { _ in
        let samples: [(Int, Any)] = [(4608, NSObject()), (4611, String(repeating: "x", count: 4000))]
        for (code, value) in samples {
          let failures = Failures()
          let activity = NSUserActivity(activityType: "com.example.a")
          activity.delegate = failures
          activity.userInfo = ["a": value]
          let responder = UIResponder()
          // The assignment asks for a save, which is a change, so it is tried again.
          let calls: [() -> Void] = [
            activity.becomeCurrent, activity.becomeCurrent, { responder.userActivity = activity },
            { responder.becomeFirstResponder() }, { responder.becomeFirstResponder() },
          ]
          for (number, call) in calls.enumerated() {
            call()
            let expected = Array(repeating: code, count: number + 1)
            try await settle("Failure \(number + 1) of \(code)") { failures.codes == expected }
          }
          UIApplication.shared.firstResponder = nil
        }
      }
    }
  }

  @Test func anInvalidatedActivitySaysSoEachTime() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await withDaemon { _ in
        let activity = NSUserActivity(activityType: "com.example.a")
        activity.invalidate()
        for _ in 0..<2 { activity.becomeCurrent() }
      }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.split(separator: "\n").filter { $0.contains("com.example.a isn't offered") }.count == 2)
  }
}
