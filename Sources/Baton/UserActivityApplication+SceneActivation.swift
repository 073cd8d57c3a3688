import Foundation

extension UserActivityScene {
  /// How a scene is activated. It has no effect.
  @preconcurrency @MainActor
  open class ActivationRequestOptions: NSObject {
    /// The scene that asks.
    open weak var requestingScene: UserActivityScene?
  }
}

extension UserActivityApplication {
  /// Lets a connected scene continue an activity of this app.
  ///
  /// UIKit creates a scene if there is no session. The library creates none: the scene that was connected last
  /// continues the activity instead.
  ///
  /// - Parameters:
  ///   - sceneSession: The session of a scene, which then counts as the one that was connected last.
  ///   - userActivity: What its delegate's `scene(_:continue:)` gets. Nil only activates the scene.
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
