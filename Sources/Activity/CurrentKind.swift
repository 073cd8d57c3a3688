/// What a current activity is about. A user has at most one of each kind: what is copied or played is beside what the
/// user is doing.
package enum CurrentKind: Equatable, Sendable {
  case main
  case clipboard
  case playback
}

extension ActivityRecord {
  package var currentKind: CurrentKind {
    switch activityType {
    case "io.baton.clipboard": .clipboard
    case "io.baton.playback": .playback
    default: .main
    }
  }
}
