import Activity
import EventLoop
import JSON
import Reachability
import Systemd

/// The addresses that users named, kept over restarts.
@Loop
final class StaticPeerList {
  private let file: AddressFile
  private(set) var all: Set<StaticPeer> = []

  /// A file that cannot be read counts as empty: the daemon is needed all the same.
  init(in directory: String, log: Log) {
    file = AddressFile(name: "static-peers.json", directory: directory)
    var list: [Members] = []
    do { list = try file.read() } catch {
      log.error("The addresses that users named cannot be read", ["reason": error.rawValue])
    }
    for var members in list.prefix(Limits.staticPeers) {
      guard let team = try? members.team("team"), let address = try? members.required("address", \.string) else {
        continue
      }
      all.insert(StaticPeer(team: team, address: address))
    }
  }

  /// - Throws: `limitReached`, `storageFailed`.
  func add(_ peer: StaticPeer) throws(Reason) {
    guard !all.contains(peer) else { return }
    guard all.count < Limits.staticPeers else { throw .limitReached }
    try replace(all.union([peer]))
  }

  /// - Throws: `peerNotFound` where it has none of them; `storageFailed`.
  func remove(_ peers: Set<StaticPeer>) throws(Reason) {
    guard !all.isDisjoint(with: peers) else { throw .peerNotFound }
    try replace(all.subtracting(peers))
  }

  /// Forgets those of teams that are not among `teams`.
  func keep(_ teams: Set<TeamID>) {
    let kept = all.filter { teams.contains($0.team) }
    guard kept.count < all.count else { return }
    // What stays in the file is of no team of this machine, and is left out when it is read.
    do { try replace(kept) } catch { all = kept }
  }

  private func replace(_ peers: Set<StaticPeer>) throws(Reason) {
    let sorted = peers.sorted { ($0.team.text, $0.address) < ($1.team.text, $1.address) }
    try file.write(sorted.map { ["team": .string($0.team.text), "address": .string($0.address)] })
    all = peers
  }
}
