import Foundation

/// What a user asks Siri to do. There is no Siri; the class exists so that apps compile.
open class INIntent: NSObject {}

/// What a user has asked Siri to do, like that of the framework Intents. There is no Siri, so it has no effect.
open class INInteraction: NSObject {
  /// What the user asked for.
  public let intent: INIntent

  init(intent: INIntent) { self.intent = intent }
}

extension NSUserActivity {
  /// What the user asked Siri to do in the app. Always nil, because there is no Siri.
  public var interaction: INInteraction? { nil }
}
