// SPDX-License-Identifier: Apache-2.0

/// The subject of a current activity. A user has at most one of each kind: the clipboard and playback don't replace the
/// activity in use.
package enum CurrentKind: Equatable, Sendable {
  case main
  case clipboard
  case playback

  /// Whether continuing the activity doesn't use it up: a copy can be pasted on more than one machine, any number of
  /// times.
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
