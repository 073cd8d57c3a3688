// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import ControlInterface
import Glibc

/// What `baton continue` does in a terminal with an activity of an open type (ActivityTypes.md).
protocol ActivityTaker {
  static var type: OpenActivityType { get }

  /// Continues the activity, and returns when that is done.
  ///
  /// - Parameter continued: The activity, whose contents are not checked, and the device that it comes from.
  static func take(_ continued: ContinuedActivity, _ arguments: ParsedArguments, _ output: Output) throws
}

/// An activity that this program has just continued.
struct ContinuedActivity {
  let id: ActivityID
  let activity: ControlActivity
  /// The name of the device that it comes from, which may be this machine.
  let device: String
  let origin: Origin
}

enum ActivityTakers {
  static var all: [any ActivityTaker.Type] { [DirectoryTaker.self, TerminalTaker.self, TextPositionTaker.self] }

  /// Whether a person who continues the type in a terminal wants it in an app: a player, not a description of the film,
  /// and a browser, not an address that only the other machine can open.
  static func isForApp(_ activityType: String, isJSON: Bool) -> Bool {
    [OpenActivityType.playback, .localPage].contains { $0.rawValue == activityType } && !isJSON
      && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  }

  /// Returns who takes activities of the type. Nil if this is not a terminal, where people see and answer what happens.
  static func taker(of activityType: String, isJSON: Bool) -> (any ActivityTaker.Type)? {
    guard !isJSON, isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else { return nil }
    return all.first { $0.type.rawValue == activityType }
  }
}
