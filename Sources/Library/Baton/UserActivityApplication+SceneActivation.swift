// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UserActivityScene {
  /// How a scene is activated. It has no effect.
  @preconcurrency @MainActor
  open class ActivationRequestOptions: NSObject {
    /// The scene that asks.
    open weak var requestingScene: UserActivityScene?
  }
}

/// How a scene is destroyed. It has no effect.
@preconcurrency @MainActor
open class UISceneDestructionRequestOptions: NSObject {}

/// How a scene with windows is destroyed. It has no effect.
@preconcurrency @MainActor
open class UIWindowSceneDestructionRequestOptions: UISceneDestructionRequestOptions {
  /// How the window disappears.
  public enum DismissalAnimation: Int, Sendable {
    /// As windows usually do.
    case standard = 1
    /// The user is done with its content.
    case commit
    /// The user does not want its content.
    case decline
  }

  /// How the window disappears.
  open var windowDismissalAnimation = DismissalAnimation.standard
}

extension UserActivityApplication {
  /// The sessions of the connected scenes.
  public var openSessions: Set<UISceneSession> { Set(connectedScenes.map(\.session)) }

  /// Whether the app can have more than one window. Always true.
  public var supportsMultipleScenes: Bool { true }

  /// Disconnects the scene of a session.
  ///
  /// - Parameters:
  ///   - sceneSession: The session.
  ///   - options: Not used.
  ///   - errorHandler: Called if no such scene is connected.
  public func requestSceneSessionDestruction(
    _ sceneSession: UISceneSession,
    options: UISceneDestructionRequestOptions?,
    errorHandler: ((any Error) -> Void)? = nil
  ) {
    guard let scene = sceneSession.scene, connectedScenes.contains(scene) else {
      errorHandler?(CocoaError(.featureUnsupported))
      return
    }
    disconnect(scene)
  }

  /// Lets a connected scene continue an activity of this app.
  ///
  /// UIKit creates a scene if there is no session. The library creates none: the scene that was connected last
  /// continues the activity instead.
  ///
  /// - Parameters:
  ///   - sceneSession: The session of a scene, which then counts as the one that was connected last.
  ///   - userActivity: The activity for its delegate's `scene(_:continue:)`. Nil only activates the scene.
  ///   - options: Not used.
  ///   - errorHandler: Called if no such scene with a delegate is connected.
  public func requestSceneSessionActivation(
    _ sceneSession: UISceneSession?,
    userActivity: NSUserActivity?,
    options: UserActivityScene.ActivationRequestOptions?,
    errorHandler: ((any Error) -> Void)? = nil
  ) {
    let scene = sceneSession.map(\.scene) ?? receivingScene
    guard let scene, let delegate = scene.delegate, connectedScenes.contains(scene) else {
      errorHandler?(CocoaError(.featureUnsupported))
      return
    }
    connect(scene)
    if let userActivity { delegate.scene(scene, continue: userActivity) }
  }
}
