import Activity
import Continuation
import ControlInterface
import VarlinkServer

extension ControlServer {
  func getStatus(_ parameters: GetStatus.Parameters, _ exchange: Exchange<GetStatus>) {
    exchange.reply(
      GetStatus.Reply(
        device: host.deviceName,
        version: Version.current,
        port: host.port,
        discovery: host.discoveryState,
        teams: membership.teams(of: exchange.user).map(ControlTeam.init),
        current: shell.currentActivity(of: exchange.user).map { ControlActivity($0).inward(host.sharedFolders) },
        sessions: peers.sessions.count { shell.mayUse($0.peer.team, exchange.user) },
        streams: shell.streamCount,
        counters: shell.counters.counters
      )
    )
  }
}
