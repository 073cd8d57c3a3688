// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The controller of a window as a responder, like AppKit's. The library never calls ``windowDidLoad()``, because there
/// are no nib files.
@preconcurrency @MainActor
open class NSWindowController: UserActivityResponder {
  /// The window, whose ``UserActivityWindow/windowController`` is this controller.
  open var window: UserActivityWindow? {
    didSet { windowChanged(from: oldValue) }
  }
  /// The document that the window shows. Not retained.
  open weak var document: AnyObject?

  /// Creates a controller of a window.
  public init(window: UserActivityWindow?) {
    self.window = window
    super.init()
    windowChanged(from: nil)
  }

  /// Creates a controller without a window. Nothing is decoded, because there are no storyboards.
  public required init?(coder: NSCoder) { super.init() }

  /// Creates a controller without a window.
  public convenience override init() { self.init(window: nil) }

  /// Creates a controller without a window, because there are no nib files.
  public convenience init(windowNibName: NSNib.Name) { self.init(window: nil) }

  /// The name of a nib file. It has no effect.
  open var windowNibName: NSNib.Name? { nil }

  private func windowChanged(from old: UserActivityWindow?) {
    if old?.windowController === self, old !== window { old?.windowController = nil }
    window?.windowController = self
  }

  /// The topmost view controller of the window.
  open var contentViewController: UserActivityViewController? {
    get { window?.contentViewController }
    set { window?.contentViewController = newValue }
  }

  /// Not called by the library.
  open func windowWillLoad() {}

  /// Not called by the library.
  open func windowDidLoad() {}

  /// Makes the window the key window.
  open func showWindow(_ sender: Any?) { window?.makeKeyAndOrderFront(sender) }

  /// Does nothing, because the library shows no windows.
  open func close() {}
}
