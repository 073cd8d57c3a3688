import Activity
import ControlInterface
import VarlinkServer

extension ControlServer {
  func createTeam(_ parameters: CreateTeam.Parameters, _ exchange: Exchange<CreateTeam>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.create(parameters.name, owner: exchange.user)
      exchange.reply(TeamReply(team: ControlTeam(team)))
    }
  }
}
