// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing

@testable import Baton

/// The activity of the responder that becomes first is current without a further call.
@MainActor
struct ResponderChainTests {
  private final class Log: Sendable {
    private let state = Mutex<(current: String?, calls: Int)>((nil, 0))
    var calls: Int { state.withLock { $0.calls } }
    var current: String? {
      get { state.withLock { $0.current } }
      set { state.withLock { $0 = (newValue, $0.calls + (newValue == nil ? 0 : 1)) } }
    }
  }

  private final class Noted: NSUserActivity {
    let log: Log
    init(_ name: String, _ log: Log) {
      self.log = log
      super.init(activityType: "org.example.\(name)")
    }
    override func becomeCurrent() { log.current = activityType.split(separator: ".").last.map(String.init) }
    override func resignCurrent() { log.current = nil }
  }

  private let log = Log()
  private func activity(_ name: String) -> NSUserActivity { Noted(name, log) }

  init() { UserActivityApplication.shared.firstResponder = nil }

  private final class Before: UIView {
    var make: () -> NSUserActivity? = { nil }
    override func becomeFirstResponder() -> Bool {
      userActivity = make()
      return super.becomeFirstResponder()
    }
  }

  private final class After: UIView {
    var make: () -> NSUserActivity? = { nil }
    override func becomeFirstResponder() -> Bool {
      let isFirst = super.becomeFirstResponder()
      if isFirst { userActivity = make() }
      return isFirst
    }
  }

  /// Much AppKit code returns true without a call of `super`.
  private final class Without: NSView {
    override func becomeFirstResponder() -> Bool { true }
  }

  private final class Refusing: NSView {
    override var acceptsFirstResponder: Bool { false }
  }

  private final class Polite: UIView {
    override func resignFirstResponder() -> Bool {
      userActivity?.resignCurrent()
      return super.resignFirstResponder()
    }
  }

  @Test func anActivityThatIsAssignedBeforeOrAfter() {
    let before = Before()
    before.make = { activity("before") }
    _ = before.becomeFirstResponder()
    #expect(log.current == "before")
    let after = After()
    let last = activity("after")
    after.make = { last }
    _ = after.becomeFirstResponder()
    #expect(log.current == "after")
    #expect(before.isFirstResponder == false && after.isFirstResponder)
    after.userActivity = nil
    #expect(log.current == nil)
    after.userActivity = activity("later")
    #expect(log.current == "later")
  }

  @Test func aResponderThatIsFirstAlreadyMakesItsActivityCurrentAgain() {
    let view = UIView()
    view.userActivity = activity("a")
    view.becomeFirstResponder()
    log.current = nil
    view.becomeFirstResponder()
    #expect(log.current == "a")
  }

  @Test func aViewLeadsToItsController() {
    let controller = UIViewController()
    controller.userActivity = activity("controller")
    let text = UIView()
    controller.view.addSubview(text)
    text.becomeFirstResponder()
    #expect(log.current == "controller")
    text.userActivity = activity("text")
    #expect(log.current == "text")
    text.userActivity = nil
    #expect(log.current == "controller")
  }

  @Test func aViewThatIsFirstBeforeItIsInAController() {
    let (controller, container, text) = (UIViewController(), UIView(), UIView())
    controller.userActivity = activity("controller")
    container.addSubview(text)
    text.becomeFirstResponder()
    #expect(log.current == nil)
    controller.view.addSubview(container)
    #expect(log.current == "controller")
  }

  @Test func aControllerLeadsToItsParentAndItsWindow() {
    let (window, parent, child) = (UIWindow(), UIViewController(), UIViewController())
    window.rootViewController = parent
    parent.addChild(child)
    parent.view.addSubview(child.view)
    #expect(child.view.next === child && child.next === parent && parent.next === window)
    #expect(child.view.window === window)
    child.becomeFirstResponder()
    window.userActivity = activity("window")
    #expect(log.current == "window")
    parent.userActivity = activity("parent")
    #expect(log.current == "parent")
    child.removeFromParent()
    child.view.removeFromSuperview()
    #expect(child.next == nil)
  }

  @Test func aKeyWindowStartsTheChainAtItsController() {
    let controller = UIViewController()
    let window = UIWindow(frame: .zero)
    window.rootViewController = controller
    window.makeKeyAndVisible()
    #expect(controller.isViewLoaded)
    controller.userActivity = activity("controller")
    #expect(log.current == "controller")
  }

  @Test func windowsTakeTurns() {
    let windows = ["one", "two"].map { name in
      let window = NSWindow(contentViewController: NSViewController())
      window.contentViewController?.userActivity = activity(name)
      return window
    }
    let view = NSView()
    windows[0].contentView?.addSubview(view)
    view.userActivity = activity("view")
    windows[0].makeFirstResponder(view)
    #expect(log.current == "view")
    windows[1].makeKeyAndOrderFront(nil)
    #expect(log.current == "two")
    windows[0].makeKeyAndOrderFront(nil)
    #expect(log.current == "view")
  }

  @Test func aWindowControllersActivity() {
    let window = NSWindow(contentViewController: NSViewController())
    let controller = NSWindowController(window: window)
    controller.userActivity = activity("controller")
    controller.showWindow(nil)
    #expect(window.windowController === controller && log.current == "controller")
  }

  @Test func aWindowMakesFirstWhoDoesNotCallSuper() {
    let (window, view) = (NSWindow(), Without())
    view.userActivity = activity("view")
    #expect(window.makeFirstResponder(view))
    #expect(log.current == "view" && view.isFirstResponder && window.firstResponder === view)
    #expect(!window.makeFirstResponder(Refusing()))
  }

  @Test func noActivityResignsBetweenTwoResponders() {
    let (one, two, controller) = (UIView(), UIView(), UIViewController())
    for view in [one, two] { controller.view.addSubview(view) }
    controller.userActivity = activity("controller")
    one.becomeFirstResponder()
    let calls = log.calls
    two.becomeFirstResponder()
    #expect(log.current == "controller" && log.calls == calls + 1)
  }

  @Test func theOneBeforeMayResignItsActivity() {
    let (polite, other) = (Polite(), UIView())
    polite.userActivity = activity("polite")
    other.userActivity = activity("other")
    _ = polite.becomeFirstResponder()
    _ = other.becomeFirstResponder()
    #expect(log.current == "other")
    other.resignFirstResponder()
    #expect(log.current == nil)
  }

  @Test func whatWasInvalidatedIsPassedOver() {
    let (view, controller) = (UIView(), UIViewController())
    controller.view.addSubview(view)
    controller.userActivity = activity("controller")
    view.userActivity = activity("view")
    view.userActivity?.invalidate()
    view.becomeFirstResponder()
    #expect(log.current == "controller")
  }

  @Test func aSceneAndTheApplicationEndTheChain() {
    let scene = UIWindowScene()
    let window = UIWindow(windowScene: scene)
    #expect(scene.windows == [window] && window.next === scene && scene.next === UIApplication.shared)
    scene.userActivity = activity("scene")
    window.makeKeyAndVisible()
    #expect(log.current == "scene")
    window.windowScene = nil
    #expect(scene.windows.isEmpty)
  }

  @Test func circlesEnd() {
    let (one, two) = (UIResponder(), UIResponder())
    one.nextResponder = two
    two.nextResponder = one
    two.userActivity = activity("two")
    one.becomeFirstResponder()
    #expect(log.current == "two")
  }
}
