import Activity
import ControlInterface
import VarlinkService

extension ControlServer {
  func importApproval(_ parameters: ImportApproval.Parameters, _ exchange: Exchange<ImportApproval>) {
    exchange.failing { () throws(Reason) in
      let team = try membership.importApproval(parameters.approval, owner: exchange.user)
      exchange.reply(TeamReply(team: ControlTeam(team)))
    }
  }
}
