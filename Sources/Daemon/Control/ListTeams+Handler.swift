import ControlInterface
import VarlinkServer

extension ControlServer {
  func listTeams(_ parameters: ListTeams.Parameters, _ exchange: Exchange<ListTeams>) {
    exchange.reply(ListTeams.Reply(teams: membership.teams(of: exchange.user).map(ControlTeam.init)))
  }
}
