// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation

/// The app's side of activities: the types it continues, and the delegate to inform. It is the counterpart of
/// `UIApplication` and `NSApplication`.
///
/// It belongs to the main thread, which must run a run loop or `dispatchMain()`. In apps without one, use
/// ``UserActivityReceiver``.
@preconcurrency @MainActor
public final class UserActivityApplication: UserActivityResponder {
  /// The one application of the process.
  public static let shared = UserActivityApplication()

  private var receiver: UserActivityReceiver?
  private var adapter: ApplicationAdapter?

  private override init() { super.init() }

  /// The delegate, which is informed about continued activities. It isn't retained. ``offers`` is filled only once a
  /// delegate is set.
  public weak var delegate: (any UserActivityApplicationDelegate)? {
    didSet { if delegate != nil { start() } }
  }

  /// The types that this app continues. The default is the types in the Info.plist next to the executable
  /// (`NSUserActivityTypes` and `NSUbiquitousDocumentUserActivityType`) and in its desktop entry
  /// (`X-Baton-ActivityTypes`). Set it to declare the types in code.
  public var activityTypes = Set(DeclaredTypes.ofInfoDictionary + DeclaredTypes.ofDesktopEntry) {
    didSet { receiver?.setActivityTypes(activityTypes) }
  }

  /// See ``onContinue(_:perform:)``.
  private(set) var handlers: [String: (NSUserActivity) -> Void] = [:]

  /// Continues activities of a type with a closure, for programs that need no delegate:
  ///
  /// ```swift
  /// UserActivityApplication.shared.onContinue("org.example.reading") { activity in
  ///   show(page: activity.userInfo?["page"])
  /// }
  /// ```
  ///
  /// The closure takes precedence over the delegates of the application and of scenes. They are still informed when a
  /// continuation begins or fails. Without a delegate, a failure is reported on standard error.
  ///
  /// - Parameters:
  ///   - activityType: The type. It is added to ``activityTypes``.
  ///   - action: Called on the main thread with each activity of the type that arrives. It replaces any earlier action.
  public func onContinue(_ activityType: String, perform action: @escaping (NSUserActivity) -> Void) {
    handlers[activityType] = action
    activityTypes.insert(activityType)
    start()
  }

  /// Other machines' offers of the app's types, the newest first. If the types include
  /// ``NSUserActivityTypeBrowsingWeb``, all offers with a web page are included.
  public private(set) var offers: [UserActivityOffer] = []

  /// Called after ``offers`` has changed.
  public var onOffersChange: (() -> Void)?

  /// Continues an offer that the user has picked. The delegate is informed from then on. Any other continuation still
  /// in progress ends with `CocoaError.userCancelled`.
  public func continueActivity(_ offer: UserActivityOffer) {
    start()
    receiver?.continueActivity(offer)
  }

  /// The start of the responder chain. The first activity in the chain becomes the current one. Not retained.
  weak var firstResponder: UserActivityResponder? {
    didSet { if firstResponder !== oldValue, changes == 0 { chainChanged() } }
  }

  /// The activity that the chain made current.
  private(set) weak var current: NSUserActivity?
  /// How many changes of the first responder are in progress, one within the other.
  private var changes = 0

  /// Lets the first responder resign, and then `body` make another one the first. No activity resigns in between.
  func changeFirstResponder(_ body: () -> Bool) -> Bool {
    let before = firstResponder
    changes += 1
    let isDone = (before?.resignFirstResponder() ?? true) && body()
    changes -= 1
    if changes == 0, firstResponder !== before || activityOfChain !== current { chainChanged() }
    return isDone
  }

  /// Makes a responder the first, and the first activity in its chain current, even if it was that before.
  func replaceFirstResponder(by responder: UserActivityResponder) -> Bool {
    guard firstResponder !== responder else {
      if changes == 0 { chainChanged() }
      return true
    }
    return changeFirstResponder {
      firstResponder = responder
      return true
    }
  }

  private func chainChanged() {
    let activity = activityOfChain
    if let activity { activity.becomeCurrent() } else { current?.resignCurrent() }
    current = activity
  }

  private var activityOfChain: NSUserActivity? {
    chain.lazy.compactMap(\.userActivity).first { !$0.core.isInvalid }
  }

  private var chain: [UserActivityResponder] {
    var chain: [UserActivityResponder] = []
    var next = firstResponder
    while let responder = next, !chain.contains(where: { $0 === responder }) {
      chain.append(responder)
      next = responder.next
    }
    return chain
  }

  /// The window of the first responder. Nil if it isn't in a window.
  public var keyWindow: UserActivityWindow? { chain.lazy.compactMap { $0 as? UserActivityWindow }.first }

  /// The same as ``keyWindow`` (AppKit), because the library shows no panels.
  public var mainWindow: UserActivityWindow? { keyWindow }

  func responderChanged(_ responder: UserActivityResponder) {
    guard changes == 0, isInChain(responder), activityOfChain !== current else { return }
    chainChanged()
  }

  func isInChain(_ responder: UserActivityResponder) -> Bool { chain.contains { $0 === responder } }

  /// The delegate, if it is a responder.
  public override var next: UserActivityResponder? { delegate as? UserActivityResponder }

  /// Called when the responders and documents of an activity have added their state.
  func didUpdate(_ activity: NSUserActivity) {
    if let scene = receivingScene {
      scene.delegate?.scene(scene, didUpdate: activity)
    } else {
      delegate?.application(self, didUpdate: activity)
    }
  }

  /// The number of the last piece of work in the background.
  var backgroundTasks = 0
  /// The quick actions of the app's icon (UIKit). They are stored for the app but have no effect, because actions are
  /// listed in desktop entries.
  public var shortcutItems: [UIApplicationShortcutItem]?

  // MARK: Scenes

  /// The windows of the app that continue activities. The one that was connected last is at the end.
  public private(set) var connectedScenes: [UserActivityScene] = []

  /// Lets a scene continue activities instead of ``delegate``. The scene is retained until ``disconnect(_:)``. If it
  /// wasn't connected, its delegate's `scene(_:willConnectTo:options:)` is called.
  public func connect(_ scene: UserActivityScene) {
    let isNew = !connectedScenes.contains(scene)
    connectedScenes.removeAll { $0 === scene }
    connectedScenes.append(scene)
    start()
    if isNew { scene.delegate?.scene(scene, willConnectTo: scene.session, options: scene.connectionOptions) }
  }

  /// Stops a scene from continuing activities. The scene's session stores the activity from which it can be restored.
  public func disconnect(_ scene: UserActivityScene) {
    guard connectedScenes.contains(scene) else { return }
    connectedScenes.removeAll { $0 === scene }
    if let activity = scene.delegate?.stateRestorationActivity(for: scene) {
      scene.session.stateRestorationActivity = activity
    }
    scene.delegate?.sceneDidDisconnect(scene)
  }

  /// The scene that is informed about continuations. Nil for the delegate.
  var receivingScene: UserActivityScene? { connectedScenes.last { $0.delegate != nil } }

  private func start() {
    guard receiver == nil else { return }
    let adapter = ApplicationAdapter()
    self.adapter = adapter
    let receiver = UserActivityReceiver(activityTypes: activityTypes, queue: .main, delegate: adapter)
    receiver.onOffersChange = { offers in
      MainActor.assumeIsolated {
        UserActivityApplication.shared.offers = offers
        UserActivityApplication.shared.onOffersChange?()
      }
    }
    self.receiver = receiver
  }
}
