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
    case .success: "Done."
    case .failure: "Failed for a reason that no other status covers."
    case .usage: "The command line is wrong."
    case .daemonUnreachable: "The daemon cannot be reached, or you may not use it."
    case .notFound: "Nothing is offered, or what you named does not exist or has ended."
    case .refused: "The daemon or the other machine refused."
    case .peerUnreachable: "The other machine cannot be reached, or did not answer in time."
    case .streamBroken: "The stream was cut off before its end."
    case .team: "A problem with a team, a name, a code, an approval or a backup."
    case .ambiguous: "Several documents match, and you have to choose one."
    }
  }
}
