// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A URL that an app is asked to open. The library creates none; the class exists so that scene delegates compile.
@preconcurrency @MainActor
open class UIOpenURLContext: NSObject {
  /// The URL.
  public let url: URL
  /// How to open it.
  public let options = UserActivityScene.OpenURLOptions()

  init(url: URL) { self.url = url }
}

extension UserActivityScene {
  /// How to open a URL.
  @preconcurrency @MainActor
  open class OpenURLOptions: NSObject {
    /// The identifier of the app that asks. Always nil.
    public let sourceApplication: String? = nil
    /// What that app adds. Always nil.
    public let annotation: Any? = nil
    /// Whether a file is opened in place. Always false.
    public let openInPlace = false
  }
}
