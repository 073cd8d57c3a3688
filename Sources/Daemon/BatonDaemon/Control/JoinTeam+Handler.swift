// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Teams
import VarlinkServer

extension ControlServer {
  func joinTeam(_ parameters: JoinTeam.Parameters, _ exchange: Exchange<JoinTeam>) {
    exchange.failing { () throws(Reason) in
      let code = try InvitationCode(text: parameters.code)
      // Asking would use up the code, so another machine could not use it either.
      let user = exchange.user
      guard !membership.teams(of: user).contains(where: { code.isFor($0.id) && membership.isSettled($0, for: user) })
      else { throw .alreadyMember }
      guard !membership.isReplaced(code, for: user) else { throw .teamRenewed }
      let old = try parameters.replaces.map { text throws(Reason) in try membership.team(text, of: user) }
      let address = try parameters.address.map { text throws(Reason) in
        try AddressParser.split(text, defaultPort: Configuration.defaultPort)
      }
      joinings.begin(
        code,
        address: address,
        deviceName: settings.deviceName,
        owner: user,
        replacing: old
      ) { result in
        switch result {
        case .success(let team): exchange.reply(TeamReply(team: ControlTeam(team)))
        case .failure(let reason): exchange.fail(reason, message: self.hint(code, reason))
        }
      }
    }
  }

  /// What helps if no machine was found that knows the code; nil if that is what the reason says.
  private func hint(_ code: InvitationCode, _ reason: Reason) -> String? {
    guard reason == .inviterNotFound else { return nil }
    if let place = joinings.elsewhere(for: code) {
      return "A machine that may have issued the code is announced at \(place), but that address isn't on the network "
        + "the announcement came from. Anyone on that network could have sent it. If the address belongs to the "
        + "machine that issued the code, run `baton team join --address \(place)`."
    }
    switch announcer.state {
    case .running, .muted: return nil
    case .connecting:
      return
        "Can't reach Avahi. Start avahi-daemon, or specify the machine's address: `baton team join --address HOST`."
    case .disabled:
      return "Discovery is turned off here. Specify the machine's address: `baton team join --address HOST`."
    }
  }
}
