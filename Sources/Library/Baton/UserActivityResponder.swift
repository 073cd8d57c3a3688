// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A user interface object that takes part in activities, like `UIResponder` and `NSResponder`.
///
/// More than one responder can share an activity. When another machine wants its state, each responder adds its part to
/// an empty `userInfo`. If none of them does, the previous contents are sent. An activity is invalidated when its last
/// responder or document is released.
@preconcurrency @MainActor
open class UserActivityResponder: NSObject, UserActivityRestoring, UserActivityUpdating {
  nonisolated private let association = ActivityAssociation()

  /// Creates a responder without an activity.
  public override init() { super.init() }

  deinit { association.end(ObjectIdentifier(self)) }

  /// The activity that this responder keeps up to date, if any. Once it is set, the responder is asked for the
  /// activity's state. The activity becomes current when this responder, or an earlier one whose chain leads here, is
  /// the first responder.
  open var userActivity: NSUserActivity? {
    get { association.activity }
    set {
      guard newValue !== association.activity else { return }
      association.set(newValue, self)
      UserActivityApplication.shared.responderChanged(self)
      if let core = newValue?.core { complainLater(about: core) }
    }
  }

  /// An app makes this responder the first, or one that leads to it, soon after it has got an activity.
  private func complainLater(about core: ActivityCore) {
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.timeToBecomeFirst) { [weak self] in
      MainActor.assumeIsolated {
        guard let self, self.userActivity?.core === core, !core.isInvalid, !core.wasCurrent,
          core.contents.isEligibleForHandoff, !UserActivityApplication.shared.isInChain(self)
        else { return }
        Complaint.responderOutsideOfChain(core)
      }
    }
  }

  /// In seconds.
  private static let timeToBecomeFirst = 3.0

  /// The next responder in the chain. A view leads to its controller, or else to its superview or window. A view
  /// controller leads to its parent, or else to its window. Other responders lead to ``nextResponder``.
  open var next: UserActivityResponder? { nextResponder }

  /// The responder that ``next`` returns unless it is overridden (AppKit's name). Not retained.
  open weak var nextResponder: UserActivityResponder? {
    didSet { UserActivityApplication.shared.responderChanged(self) }
  }

  /// Adds this responder's part of the state to `activity.userInfo`. Called on the main thread. Does nothing unless
  /// overridden.
  open func updateUserActivityState(_ activity: NSUserActivity) {}

  /// Restores the state of an activity that was continued. Called on the main thread. Does nothing unless overridden.
  open func restoreUserActivityState(_ activity: NSUserActivity) {}

  /// Whether this responder can become the start of the chain (UIKit's name). The default is true; in UIKit it is
  /// false.
  open var canBecomeFirstResponder: Bool { true }

  /// Whether this responder can become the start of the chain (AppKit's name). The default is true; in AppKit it is
  /// false.
  open var acceptsFirstResponder: Bool { true }

  /// Makes this responder the start of the chain, after the previous one has resigned. The first activity in the chain
  /// becomes current. If you override this, call super.
  ///
  /// - Returns: False if this responder can't become first, or the previous one doesn't resign.
  @discardableResult
  open func becomeFirstResponder() -> Bool {
    guard canBecomeFirstResponder, acceptsFirstResponder else { return false }
    return UserActivityApplication.shared.replaceFirstResponder(by: self)
  }

  /// Leaves the chain without a start. The activity that the chain had made current resigns.
  @discardableResult
  open func resignFirstResponder() -> Bool {
    guard isFirstResponder else { return true }
    UserActivityApplication.shared.firstResponder = nil
    return true
  }

  /// Whether the chain starts here.
  open var isFirstResponder: Bool { UserActivityApplication.shared.firstResponder === self }
}
