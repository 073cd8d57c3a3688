import Foundation

/// An object of an app's user interface that takes part in activities, as `UIResponder` and `NSResponder` do.
///
/// Several responders may share one activity. When another machine wants its state, `userInfo` is emptied, and each of them puts its part in
/// again. An activity that no responder and no document has any more is invalidated.
@MainActor
open class UserActivityResponder: NSObject, UserActivityRestoring, UserActivityUpdating {
  nonisolated private let association = ActivityAssociation()

  /// Makes a responder without an activity.
  public override init() { super.init() }

  deinit { association.end(ObjectIdentifier(self)) }

  /// The activity that this responder keeps up to date; nil for none. It is asked for its state from then on, and when this
  /// responder, or one after it in the chain, is the first responder, the activity becomes the current one.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set {
      guard newValue !== association.activity else { return }
      association.set(newValue, self)
      UserActivityApplication.shared.responderChanged(self)
    }
  }

  /// The responder that is asked after this one: of a view, the view or window around it.
  open var next: UserActivityResponder? { nil }

  /// Puts this responder's part of the state into `activity.userInfo`. On the main thread; does nothing unless overridden.
  open func updateUserActivityState(_ activity: NSUserActivity) {}

  /// Takes the state of an activity that was continued. On the main thread; does nothing unless overridden.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// Makes this the responder at which the chain begins. The first activity in the chain becomes the current one.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    UserActivityApplication.shared.firstResponder = self
    return true
  }

  /// The chain begins nowhere; the activity that was current because of it resigns.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return true }
    UserActivityApplication.shared.firstResponder = nil
    return true
  }

  /// Whether the chain begins here.
  open var isFirstResponder: Bool { UserActivityApplication.shared.firstResponder === self }
}
