// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A request to Siri. There is no Siri; the class exists so that apps compile.
open class INIntent: NSObject {}

/// A request to Siri and its outcome, as in the Intents framework. There is no Siri, so it has no effect.
open class INInteraction: NSObject {
  /// What the user asked for.
  public let intent: INIntent

  init(intent: INIntent) { self.intent = intent }
}

extension NSUserActivity {
  /// The user's request to Siri. Always nil, because there is no Siri.
  public var interaction: INInteraction? { nil }
}
