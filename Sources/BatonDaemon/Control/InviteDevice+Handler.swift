import Activity
import ControlInterface
import VarlinkService

extension ControlServer {
  func inviteDevice(_ parameters: InviteDevice.Parameters, _ exchange: Exchange<InviteDevice>) {
    exchange.failing { () throws(Reason) in
      let invitation = try membership.invite(to: membership.team(parameters.team, of: exchange.user), by: exchange.user)
      exchange.reply(InviteDevice.Reply(code: invitation.code, expires: Double(invitation.expires)))
    }
  }
}
