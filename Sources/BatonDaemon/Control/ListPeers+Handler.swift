import Activity
import Continuation
import ControlInterface
import EventLoop
import Reachability
import VarlinkService

extension ControlServer {
  func listPeers(_ parameters: ListPeers.Parameters, _ exchange: Exchange<ListPeers>) {
    let watcher = PeerWatcher(exchange, peers: peers, shell: shell)
    watcher.update()
    if !exchange.isFinished { peerWatchers.add(watcher, for: exchange) }
  }
}

/// A client of `ListPeers`, which receives the list whenever it has changed.
@Loop
final class PeerWatcher: ListWatcher {
  private let exchange: Exchange<ListPeers>
  private let peers: PeerTable
  private let shell: ContinuationShell
  private var last: ListPeers.Reply?

  init(_ exchange: Exchange<ListPeers>, peers: PeerTable, shell: ContinuationShell) {
    self.exchange = exchange
    self.peers = peers
    self.shell = shell
  }

  var user: UserID { exchange.user }
  var isBehind: Bool { exchange.isBehind }

  @discardableResult
  func update() -> Int {
    let known = peers.snapshot().filter { shell.mayUse($0.id.team, exchange.user) }
    let list = known.map { ControlPeer($0.entry, device: $0.id.device, team: $0.id.team) }
    let reply = ListPeers.Reply(peers: list.sorted { ($0.device, $0.deviceID) < ($1.device, $1.deviceID) })
    if reply != last {
      last = reply
      exchange.replyContinuing(reply)
    }
    return 1 + list.count
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
