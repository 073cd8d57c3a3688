/// What a current activity is about. A user has at most one of each kind: what is copied or played is beside what the
/// user is doing.
package enum CurrentKind: Equatable, Sendable {
  case main
  case clipboard
  case playback

  /// Whether continuing the activity leaves it where it is: what was copied can be pasted on several machines, and
  /// several times.
  package var staysOffered: Bool { self == .clipboard }
}

extension CurrentKind {
  package init(activityType: String) {
    switch activityType {
    case "io.baton.clipboard": self = .clipboard
    case "io.baton.playback": self = .playback
    default: self = .main
    }
  }
}

extension ActivityRecord {
  package var currentKind: CurrentKind { CurrentKind(activityType: activityType) }
}
