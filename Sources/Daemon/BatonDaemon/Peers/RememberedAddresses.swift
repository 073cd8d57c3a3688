// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding
import Systemd

/// Where peers were reached, and where they say that they listen. This is kept across restarts, so that a peer can be
/// dialled without discovery.
///
/// Addresses are kept as text, in which a link-local one names its interface, because the numbers of interfaces change.
@Loop
final class RememberedAddresses {
  private struct Entry: Structure {
    @Coded<TeamDigits> var team: TeamID
    let device: DeviceID
    /// The newest first.
    var addresses: [String]
    /// Where the peer says that it listens; nil if it has not said it.
    var said: [String]?

    init(peer: PeerID, addresses: [String] = [], said: [String]? = nil) {
      device = peer.device
      self.addresses = addresses
      self.said = said
      team = peer.team
    }

    var isWithinLimits: Bool {
      addresses.count <= Limits.addressesPerPeer && said.map { $0.count <= Limits.saidAddresses } ?? true
    }

    var peer: PeerID { PeerID(team: team, device: device) }
  }

  private let file: AddressFile
  /// Includes peers of teams that cannot be used now. The most recently reached peer has the greatest order.
  private var entries: [PeerID: (entry: Entry, order: Int)] = [:]
  private var lastOrder = 0
  /// Entries that this version does not understand, kept as they are.
  private var others: [JSON] = []
  private var timer: Timer?
  private var isChanged = false
  /// This machine's usable teams, each with one of its users. What is known about other teams is neither dialled nor
  /// forgotten.
  var loaded: [TeamID: UserID] = [:]

  /// A file that cannot be read counts as empty, because what it held will be found again.
  init(in directory: String, log: Log) {
    let file = AddressFile(name: "remembered-addresses.json", directory: directory, log: log)
    var known: [Entry] = []
    for json in file.read() {
      if let entry = Entry(json: json), entry.isWithinLimits, entry.json == json {
        known.append(entry)
      } else {
        others.append(json)
      }
    }
    self.file = file
    for entry in known.reversed() { add(entry) }
    timer = Timer { [weak self] in
      guard let self else { return }
      Loop.begin { [self] in await save() }
    }
  }

  /// The most recently reached peer comes first.
  private var inOrder: [Entry] { entries.values.sorted { $0.order > $1.order }.map(\.entry) }

  /// Makes an entry the newest one, in place of an earlier one of the same peer.
  private func add(_ entry: Entry) {
    lastOrder += 1  // Checked: one for each time that a peer is reached.
    entries[entry.peer] = (entry, lastOrder)
  }

  /// All peers, with their addresses on interfaces that exist now. The most recently reached peer comes first.
  var all: [(peer: PeerID, addresses: [SocketAddress], said: [SocketAddress])] {
    inOrder.map { ($0.peer, Self.parsed($0.addresses), Self.parsed($0.said ?? [])) }
  }

  private static func parsed(_ addresses: [String]) -> [SocketAddress] {
    addresses.compactMap { text in
      guard let (host, port) = try? AddressParser.split(text, defaultPort: 0), port > 0 else { return nil }
      return SocketAddress(numericHost: host, port: port)
    }
  }

  /// - Parameter isFirst: Whether the peer was reached there; otherwise it might be.
  func remember(_ peer: PeerID, _ address: SocketAddress, isFirst: Bool) {
    var entry = entries[peer]?.entry ?? Entry(peer: peer)
    let earlier = entry.addresses
    let text = address.description
    let others = Array(earlier.filter { $0 != text }.prefix(Limits.addressesPerPeer - 1))
    entry.addresses = isFirst ? [text] + others : others + [text]
    if entry.addresses != earlier { replace(entry) }
  }

  /// The peer says that it listens at these addresses, and no longer at others.
  func remember(_ peer: PeerID, said addresses: [SocketAddress]) {
    var entry = entries[peer]?.entry ?? Entry(peer: peer)
    let earlier = entry.said ?? []
    entry.said = addresses.prefix(Limits.saidAddresses).map(\.description)
    if entry.said != earlier { replace(entry) }
  }

  private func replace(_ entry: Entry) {
    add(entry)
    if entries.count > Limits.rememberedPeers { forgetSurplus() }
    change()
  }

  /// Keeps at most `Limits.rememberedPeers` peers. If there are more, the user who has the most loses the oldest one.
  private func forgetSurplus() {
    let known = entries.filter { loaded[$0.key.team] != nil }
    guard known.count > Limits.rememberedPeers else { return }
    let oldest = known.surplus(of: { loaded[$0.key.team] }, by: \.value.order)
    if let oldest { entries[oldest.key] = nil }
  }

  /// Moves the devices of a team to another team.
  func rename(_ old: TeamID, to team: TeamID) {
    let renamed = entries.filter { $0.key.team == old }
    guard !renamed.isEmpty else { return }
    for (peer, (entry, order)) in renamed {
      let peer = PeerID(team: team, device: peer.device)
      entries[peer] = (Entry(peer: peer, addresses: entry.addresses, said: entry.said), order)
    }
    entries = entries.filter { $0.key.team != old }
    change()
  }

  /// Forgets a peer that has left its team.
  func forget(_ peer: PeerID) {
    if entries.removeValue(forKey: peer) != nil { change() }
  }

  /// Forgets the peers of a team that this machine has left.
  func forget(_ team: TeamID) {
    let count = entries.count
    entries = entries.filter { $0.key.team != team }
    if entries.count != count { change() }
  }

  private func change() {
    isChanged = true
    if timer?.deadline == nil { timer?.set(Loop.now + Limits.rememberTime) }
  }

  /// Writes the changes, and returns when they are on the disk. If that fails, it is tried again at the next change.
  func save() async {
    timer?.set(nil)
    try? await file.change { [self] () async throws(Reason) in
      guard isChanged else { return }
      isChanged = false
      do throws(Reason) { try await file.write(inOrder.map(\.json) + others) } catch { isChanged = true }
    }
  }
}
