import EventLoop
import Foundation

/// The app, as far as activities are concerned: what it can continue, and whom it tells. The counterpart of `UIApplication` and `NSApplication`.
///
/// It lives on the main thread, whose run loop (or `dispatchMain()`) must run; apps without one use ``UserActivityReceiver``.
@MainActor
public final class UserActivityApplication: UserActivityResponder {
  /// The one application of the process.
  public static let shared = UserActivityApplication()

  private var receiver: UserActivityReceiver?
  private var adapter: ApplicationAdapter?

  private override init() { super.init() }

  /// Told of activities that are continued. Not retained. From when it is set, ``offers`` are known.
  public weak var delegate: (any UserActivityApplicationDelegate)? {
    didSet { if delegate != nil { start() } }
  }

  /// The types that this app continues: at first those of `NSUserActivityTypes` and `NSUbiquitousDocumentUserActivityType` in the Info.plist beside the
  /// executable and of `X-Baton-ActivityTypes` in its desktop entry. Set it to name them in code.
  public var activityTypes = Set(ActivityTypes.ofInfoDictionary + ActivityTypes.ofDesktopEntry) {
    didSet { receiver?.setActivityTypes(activityTypes) }
  }

  /// What other machines offer of the app's types, the newest first.
  public private(set) var offers: [UserActivityOffer] = []

  /// Called after ``offers`` has changed.
  public var onOffersChange: (() -> Void)?

  /// Continues an offer: what the user does when they pick it. The delegate is told from now on; another continuation that is still
  /// under way ends with `CocoaError.userCancelled`.
  public func continueActivity(_ offer: UserActivityOffer) {
    start()
    receiver?.continueActivity(offer)
  }

  /// Where the responder chain begins; the first activity in the chain becomes the current one. Not retained.
  weak var firstResponder: UserActivityResponder? {
    didSet { if firstResponder !== oldValue { chainChanged() } }
  }

  /// What the chain made current.
  private weak var current: NSUserActivity?

  private func chainChanged() {
    let activity = chain.lazy.compactMap(\.userActivity).first
    if let activity { activity.becomeCurrent() } else { current?.resignCurrent() }
    current = activity
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

  func responderChanged(_ responder: UserActivityResponder) {
    guard chain.contains(where: { $0 === responder }), chain.lazy.compactMap(\.userActivity).first !== current else {
      return
    }
    chainChanged()
  }

  /// The responders and documents of an activity have put their state in.
  func didUpdate(_ activity: NSUserActivity) {
    if let scene = receivingScene {
      scene.delegate?.scene(scene, didUpdate: activity)
    } else {
      delegate?.application(self, didUpdate: activity)
    }
  }

  // MARK: Scenes

  /// The windows of the app that continue activities, the one that was connected last at the end.
  public private(set) var connectedScenes: [UserActivityScene] = []

  /// Lets a scene continue activities, in place of ``delegate``. Retained until ``disconnect(_:)``.
  public func connect(_ scene: UserActivityScene) {
    connectedScenes.removeAll { $0 === scene }
    connectedScenes.append(scene)
    start()
  }

  /// The scene does not continue activities any more.
  public func disconnect(_ scene: UserActivityScene) { connectedScenes.removeAll { $0 === scene } }

  /// Who is told of continuations; nil for the delegate.
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
