/// How the command ended. The statuses are the same for every verb.
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

  var meaning: String {
    switch self {
    case .success: "Done."
    case .failure: "Failed, for a reason that no other status has."
    case .usage: "The command line is wrong."
    case .daemonUnreachable: "The daemon cannot be reached, or may not be used."
    case .notFound: "Nothing is offered, or what was named is not there (any more)."
    case .refused: "Refused by the daemon or the other machine."
    case .peerUnreachable: "The other machine cannot be reached, or did not answer in time."
    case .streamBroken: "The stream broke off before its end."
    case .team: "Something about a team, a code, an approval or a backup is wrong."
    }
  }
}
