import Activity
import Continuation
import ControlInterface
import EventLoop
import Reachability
import VarlinkService

extension ControlServer {
  func listPeers(_ parameters: ListPeers.Parameters, _ exchange: Exchange<ListPeers>) {
    peerLists.watch(exchange, exchange.user)
  }

  /// Makes the list of the peers in a user's teams.
  static func peers(of user: UserID, _ peers: PeerTable, _ shell: ContinuationShell) -> (ListPeers.Reply, cost: Int) {
    let known = peers.snapshot().filter { shell.mayUse($0.id.team, user) }
    let list = known.map { ControlPeer($0.entry, device: $0.id.device, team: $0.id.team) }
    let sorted = list.sorted { ($0.device, $0.deviceID) < ($1.device, $1.deviceID) }
    return (ListPeers.Reply(peers: sorted), list.count)
  }
}

extension ControlPeer {
  @Loop
  fileprivate init(_ entry: KnownPeer, device: DeviceID, team: TeamID) {
    self.init(
      device: entry.name,
      deviceID: device,
      team: team.description,
      state: entry.connection != nil
        ? .connected : entry.isDialling || entry.reason == nil ? .connecting : .unreachable,
      address: entry.address?.description,
      reason: entry.connection == nil ? entry.reason : nil
    )
  }
}
