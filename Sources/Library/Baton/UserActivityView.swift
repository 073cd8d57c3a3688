// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A view as a responder, like `UIView` and `NSView`. It shows nothing.
@preconcurrency @MainActor
open class UserActivityView: UserActivityResponder {
  /// The view around this one.
  public private(set) weak var superview: UserActivityView?
  /// The views in this one.
  public private(set) var subviews: [UserActivityView] = []
  /// Kept for the app.
  open var frame: CGRect
  weak var controller: UserActivityViewController?
  weak var ownWindow: UserActivityWindow?

  /// Creates a view outside any window.
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  /// Creates a view outside any window. Nothing is decoded, because there are no storyboards.
  public required init?(coder: NSCoder) {
    frame = .zero
    super.init()
  }

  /// Creates a view outside any window.
  public convenience override init() { self.init(frame: .zero) }

  /// Puts a view into this one.
  open func addSubview(_ view: UserActivityView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
    UserActivityApplication.shared.responderChanged(view)
  }

  /// Removes this view from its superview.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  /// The window that contains this view.
  open var window: UserActivityWindow? { ownWindow ?? controller?.window ?? superview?.window }

  /// The view's controller, or else its superview or window.
  open override var next: UserActivityResponder? { controller ?? superview ?? ownWindow ?? super.next }
}
