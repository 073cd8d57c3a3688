// SPDX-License-Identifier: Apache-2.0

/// A scene with windows, like UIKit's.
@preconcurrency @MainActor
open class UIWindowScene: UserActivityScene {
  private var held: [() -> UserActivityWindow?] = []

  /// The windows of the scene. They are not retained.
  open var windows: [UserActivityWindow] { held.compactMap { $0() } }

  func add(_ window: UserActivityWindow) {
    remove(window)
    held.append { [weak window] in window }
  }

  func remove(_ window: UserActivityWindow) { held.removeAll { $0() == nil || $0() === window } }
}
