// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A view controller as a responder, like `UIViewController` and `NSViewController`. It shows nothing.
///
/// The first use of ``view`` calls ``loadView()`` and ``viewDidLoad()``. The library calls none of the other methods,
/// because it can't detect which views are visible. Call them yourself if they contain your Handoff code.
@preconcurrency @MainActor
open class UserActivityViewController: UserActivityResponder {
  /// The title of the controller's content.
  open var title: String?
  /// Kept for the app.
  open var representedObject: Any?
  /// The controller that contains this one.
  public private(set) weak var parent: UserActivityViewController?
  /// The controllers in this one.
  public private(set) var children: [UserActivityViewController] = []
  private var loadedView: UserActivityView?
  /// The window whose topmost controller this is.
  weak var ownWindow: UserActivityWindow?

  /// Creates a controller. There are no nib files, so both arguments are ignored.
  public init(nibName: String?, bundle: Bundle?) { super.init() }

  /// Creates a controller. Nothing is decoded, because there are no storyboards.
  public required init?(coder: NSCoder) { super.init() }

  /// Creates a controller.
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  // MARK: The view

  /// The controller's view, which is loaded when it is first used.
  open var view: UserActivityView! {  // Checked: nil only if loadView() leaves it so, as on Apple's platforms.
    get {
      loadViewIfNeeded()
      return loadedView
    }
    set {
      loadedView?.controller = nil
      loadedView = newValue
      newValue?.controller = self
      if let newValue { UserActivityApplication.shared.responderChanged(newValue) }
    }
  }

  /// Whether ``view`` has been loaded.
  public var isViewLoaded: Bool { loadedView != nil }

  /// Loads ``view`` unless it has been loaded.
  public func loadViewIfNeeded() {
    guard loadedView == nil else { return }
    loadView()
    viewDidLoad()
  }

  /// Sets ``view``. If you override this, don't call super.
  open func loadView() { view = UserActivityView() }

  /// Called when ``view`` has been loaded.
  open func viewDidLoad() {}

  /// Not called by the library (UIKit's spelling).
  open func viewWillAppear(_ animated: Bool) {}

  /// Not called by the library (UIKit's spelling).
  open func viewIsAppearing(_ animated: Bool) {}

  /// Not called by the library (UIKit's spelling).
  open func viewDidAppear(_ animated: Bool) {}

  /// Not called by the library (UIKit's spelling).
  open func viewWillDisappear(_ animated: Bool) {}

  /// Not called by the library (UIKit's spelling).
  open func viewDidDisappear(_ animated: Bool) {}

  /// Not called by the library (AppKit's spelling).
  open func viewWillAppear() {}

  /// Not called by the library (AppKit's spelling).
  open func viewDidAppear() {}

  /// Not called by the library (AppKit's spelling).
  open func viewWillDisappear() {}

  /// Not called by the library (AppKit's spelling).
  open func viewDidDisappear() {}

  // MARK: Other controllers

  /// Puts a controller into this one.
  open func addChild(_ childController: UserActivityViewController) {
    childController.removeFromParent()
    children.append(childController)
    childController.parent = self
    UserActivityApplication.shared.responderChanged(childController)
  }

  /// Removes this controller from its parent.
  open func removeFromParent() {
    parent?.children.removeAll { $0 === self }
    parent = nil
  }

  /// Not called by the library.
  open func willMove(toParent parent: UserActivityViewController?) {}

  /// Not called by the library.
  open func didMove(toParent parent: UserActivityViewController?) {}

  var window: UserActivityWindow? { ownWindow ?? parent?.window ?? loadedView?.superview?.window }

  /// The parent, or else the window.
  open override var next: UserActivityResponder? { parent ?? loadedView?.superview ?? ownWindow ?? super.next }
}
