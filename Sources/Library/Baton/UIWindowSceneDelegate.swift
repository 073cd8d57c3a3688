// SPDX-License-Identifier: Apache-2.0

/// The delegate of a scene with windows, like UIKit's.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UserActivitySceneDelegate {
  /// The main window of the scene. Not used by the library.
  var window: UserActivityWindow? { get set }
}

extension UIWindowSceneDelegate {
  /// Always nil. Assigning a window has no effect.
  public var window: UserActivityWindow? {
    get { nil }
    set {}
  }
}
