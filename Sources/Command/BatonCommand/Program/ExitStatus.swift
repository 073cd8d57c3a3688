// SPDX-License-Identifier: Apache-2.0

import Localization

/// How the command ended. The statuses are the same for all commands.
enum ExitStatus: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 2
  case daemonUnreachable = 3
  case notFound = 4
  case refused = 5
  case peerUnreachable = 6
  case streamBroken = 7
  case team = 8
  case ambiguous = 9

  var meaning: String {
    switch self {
    case .success: localized("Done.")
    case .failure: localized("Other failure.")
    case .usage: localized("The command line is invalid.")
    case .daemonUnreachable: localized("The daemon can't be reached, or you aren't allowed to use it.")
    case .notFound: localized("Nothing is offered, or the ID, name or file doesn't exist.")
    case .refused: localized("The daemon or the other machine refused the request.")
    case .peerUnreachable: localized("The other machine can't be reached, or didn't respond in time.")
    case .streamBroken: localized("The stream was cut off before its end.")
    case .team: localized("A problem with a team, a name, a code, an approval or a backup.")
    case .ambiguous: localized("More than one thing matches; choose one.")
    }
  }
}
