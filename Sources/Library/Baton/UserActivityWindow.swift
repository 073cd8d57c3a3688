// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A window as a responder, like `UIWindow` and `NSWindow`. It shows nothing.
///
/// The chain of the window that last became key decides which activity is current.
@preconcurrency @MainActor
open class UserActivityWindow: UserActivityResponder {
  /// The style of an AppKit window. It has no effect.
  public struct StyleMask: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No frame.
    public static let borderless: StyleMask = []
    /// A title bar.
    public static let titled = StyleMask(rawValue: 1)
    /// A close button.
    public static let closable = StyleMask(rawValue: 1 << 1)
    /// A minimize button.
    public static let miniaturizable = StyleMask(rawValue: 1 << 2)
    /// An edge that can be dragged.
    public static let resizable = StyleMask(rawValue: 1 << 3)
    /// The content extends under the title bar.
    public static let fullSizeContentView = StyleMask(rawValue: 1 << 15)
  }

  /// How AppKit draws a window. It has no effect.
  public enum BackingStoreType: Sendable {
    /// The window is drawn in memory first.
    case buffered
  }

  /// The title of the window.
  open var title = ""
  /// Kept for the app.
  open var frame: CGRect
  /// The scene of the window (UIKit).
  open weak var windowScene: UIWindowScene? {
    didSet {
      oldValue?.remove(self)
      windowScene?.add(self)
    }
  }
  /// The controller of the window (AppKit).
  open weak var windowController: NSWindowController?
  /// The start of this window's chain while it is the key window. Not retained.
  public private(set) weak var firstResponder: UserActivityResponder?

  /// Creates a window.
  public init(frame: CGRect) {
    self.frame = frame
    super.init()
  }

  /// Creates a window of a scene.
  public init(windowScene: UIWindowScene) {
    frame = .zero
    super.init()
    self.windowScene = windowScene
    // Observers are not called in initializers.
    windowScene.add(self)
  }

  /// Creates a window. Only the first argument is used.
  public init(contentRect: CGRect, styleMask style: StyleMask, backing: BackingStoreType, defer flag: Bool) {
    frame = contentRect
    super.init()
  }

  /// Creates a window.
  public convenience override init() { self.init(frame: .zero) }

  /// Creates a window with a controller for its contents.
  public convenience init(contentViewController: UserActivityViewController) {
    self.init(frame: .zero)
    rootViewController = contentViewController
    // Observers are not called in initializers.
    contentViewController.ownWindow = self
  }

  /// The topmost view controller (UIKit's name).
  open var rootViewController: UserActivityViewController? {
    didSet {
      oldValue?.ownWindow = nil
      rootViewController?.ownWindow = self
      rootViewController.map(UserActivityApplication.shared.responderChanged)
    }
  }

  /// The topmost view controller (AppKit's name).
  open var contentViewController: UserActivityViewController? {
    get { rootViewController }
    set { rootViewController = newValue }
  }

  /// The topmost view: that of the topmost view controller, if any.
  open var contentView: UserActivityView? {
    get { rootViewController?.view ?? ownView }
    set {
      ownView?.ownWindow = nil
      ownView = newValue
      newValue?.ownWindow = self
    }
  }

  private var ownView: UserActivityView?

  /// Makes this the key window: it loads the view of the topmost view controller. The chain starts at
  /// ``firstResponder``, or else at the topmost controller or view.
  open func makeKey() {
    rootViewController?.loadViewIfNeeded()
    UserActivityApplication.shared.firstResponder = firstResponder ?? rootViewController ?? ownView ?? self
  }

  /// The same as ``makeKey()`` (UIKit).
  open func makeKeyAndVisible() { makeKey() }

  /// The same as ``makeKey()`` (AppKit).
  open func makeKeyAndOrderFront(_ sender: Any?) { makeKey() }

  /// Makes a responder the start of the chain, after the previous one has resigned. Nil chooses the window itself.
  ///
  /// - Returns: False if one of them refuses.
  @discardableResult
  open func makeFirstResponder(_ responder: UserActivityResponder?) -> Bool {
    let application = UserActivityApplication.shared
    guard responder ?? self !== application.firstResponder else { return true }
    let isDone = application.changeFirstResponder {
      guard responder?.becomeFirstResponder() ?? true else { return false }
      // It is the first even if it overrides the method and does not call ours.
      application.firstResponder = responder ?? self
      return true
    }
    if isDone { firstResponder = responder }
    return isDone
  }

  /// The window's controller, or else its scene.
  open override var next: UserActivityResponder? { windowController ?? windowScene ?? super.next }
}
