import Foundation

/// An object of an app's user interface that takes part in activities, like `UIResponder` and `NSResponder`.
///
/// Several responders can share one activity. When another machine wants its state, `userInfo` is emptied, and each
/// responder adds its part again. An activity is invalidated when its last responder or document is gone.
@MainActor
open class UserActivityResponder: NSObject, UserActivityRestoring, UserActivityUpdating {
  nonisolated private let association = ActivityAssociation()

  /// Creates a responder without an activity.
  public override init() { super.init() }

  deinit { association.end(ObjectIdentifier(self)) }

  /// The activity that this responder keeps up to date. Nil for none. From then on, the responder is asked for the
  /// activity's state. The activity becomes current when this responder, or an earlier one whose chain leads here, is
  /// the first responder.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set {
      guard newValue !== association.activity else { return }
      association.set(newValue, self)
      UserActivityApplication.shared.responderChanged(self)
    }
  }

  /// The next responder in the chain. For a view, that is the view or window around it.
  open var next: UserActivityResponder? { nil }

  /// Adds this responder's part of the state to `activity.userInfo`. Called on the main thread. Does nothing unless
  /// overridden.
  open func updateUserActivityState(_ activity: NSUserActivity) {}

  /// Restores the state of an activity that was continued. Called on the main thread. Does nothing unless overridden.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// Makes this responder the start of the chain. The first activity in the chain becomes the current one.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    UserActivityApplication.shared.firstResponder = self
    return true
  }

  /// Leaves the chain without a start. The activity that was current because of the chain resigns.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return true }
    UserActivityApplication.shared.firstResponder = nil
    return true
  }

  /// Whether the chain starts here.
  open var isFirstResponder: Bool { UserActivityApplication.shared.firstResponder === self }
}
