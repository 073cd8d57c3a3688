// SPDX-License-Identifier: Apache-2.0

/// A window of an app that continues activities, like `UIScene`: a responder with its own delegate.
///
/// While scenes with delegates are connected, the one that was connected last is informed about continuations instead
/// of the application's delegate.
@preconcurrency @MainActor
open class UserActivityScene: UserActivityResponder {
  /// Whether a scene is connected and in the foreground.
  public enum ActivationState: Int, Sendable {
    /// It is not connected.
    case unattached = -1
    /// The user works with it.
    case foregroundActive
    /// Something else is in front of it.
    case foregroundInactive
    /// The user does not see it.
    case background
  }

  /// Active while the scene is connected, because the library has no windows.
  open var activationState: ActivationState {
    UserActivityApplication.shared.connectedScenes.contains(self) ? .foregroundActive : .unattached
  }

  /// What is remembered of the scene.
  public let session: UISceneSession
  let connectionOptions: ConnectionOptions

  /// The delegate, which is informed about the activities that the scene continues. It isn't retained.
  open weak var delegate: (any UserActivitySceneDelegate)?
  /// The title of the scene.
  open var title: String?
  /// The content that the scene shows. It has no effect.
  open var activationConditions = UISceneActivationConditions()

  /// Creates a scene. UIKit creates scenes itself.
  public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
    self.session = session
    self.connectionOptions = connectionOptions
    super.init()
    session.scene = self
  }

  /// Creates a scene with a new session.
  public convenience override init() { self.init(session: UISceneSession(), connectionOptions: ConnectionOptions()) }

  /// The application.
  open override var next: UserActivityResponder? { super.next ?? UserActivityApplication.shared }
}
