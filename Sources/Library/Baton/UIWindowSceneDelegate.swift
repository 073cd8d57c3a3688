/// The delegate of a scene with windows, like UIKit's.
@preconcurrency @MainActor
public protocol UIWindowSceneDelegate: UserActivitySceneDelegate {
  /// The main window of the scene. Not used by the library.
  var window: UserActivityWindow? { get set }
}

extension UIWindowSceneDelegate {
  /// Nil. A window that is assigned is not kept.
  public var window: UserActivityWindow? {
    get { nil }
    set {}
  }
}
