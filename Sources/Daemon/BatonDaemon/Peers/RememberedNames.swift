// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import JSONCoding
import Systemd
import Teams

/// The devices that were met, and which name belongs to which, kept across restarts in `device-names.json`.
/// `DeviceNames` has the rules of names.
@Loop
final class RememberedNames {
  /// The time until what is remembered is written when sessions began and ended. A peer that comes and goes all the
  /// time causes one write a minute.
  private static let rememberMeetingsTime = Duration.seconds(60)

  private struct Entry: Structure {
    @Coded<TeamDigits> var team: TeamID
    let device: DeviceID
    let names: [String]
    let claim: String
    let met: Int64?

    init(_ peer: PeerID, _ entry: DeviceNames.Entry) {
      (device, names, claim, met) = (peer.device, entry.names, entry.claim, entry.met)
      team = peer.team
    }

    var isWithinLimits: Bool {
      names.count <= Limits.namesPerDevice
        && (names + [claim]).allSatisfy { $0.utf8.count <= Limits.deviceNameLength }
    }
  }

  private let file: AddressFile
  private var names = DeviceNames()
  /// Entries that this version does not understand, kept as they are.
  private var others: [JSON] = []
  private var timer: Timer?
  /// By the bytes of the name: equal texts can have different keys.
  private var keys: [[UInt8]: NameKey] = [:]
  private static let keptKeys = 4 * Limits.admittedDevices
  private var isChanged = false
  /// What this machine is called.
  private let own: @Loop () -> String
  private let membership: Membership

  /// A file that cannot be read counts as empty and is set aside, because the daemon must start all the same. Then each
  /// name belongs to the device that has it first.
  init(in directory: String, membership: Membership, own: @escaping @Loop () -> String, log: Log) {
    (self.membership, self.own) = (membership, own)
    let file = AddressFile(name: "device-names.json", directory: directory, log: log)
    for json in file.read() {
      if let entry = Entry(json: json), entry.isWithinLimits, entry.json == json {
        let peer = PeerID(team: entry.team, device: entry.device)
        names.restore(DeviceNames.Entry(names: entry.names, claim: entry.claim, met: entry.met), of: peer)
      } else {
        others.append(json)
      }
    }
    self.file = file
    timer = Timer { [weak self] in
      guard let self else { return }
      Loop.begin { [self] in await save() }
    }
  }

  /// What people are shown, and what they can call the device.
  ///
  /// - Parameter name: What the device, or an advert, says.
  func label(of peer: PeerID, saying name: String) -> String {
    let removed = { [membership] in membership.isRevoked($0) }
    let label = names.label(of: peer, saying: name, own: own(), isRemoved: removed)
    // A device that was met has its name only if it belongs to it. One that was not has proved nothing.
    guard label == name, !name.isEmpty, let entry = names[peer], !entry.names.contains(where: { $0 == name }),
      NameKey(entry.claim) == NameKey(name)
    else { return label }
    return DeviceNames.qualified(name, peer.device)
  }

  /// What people are shown of a device of any team; its ID if it was never met.
  func label(of device: DeviceID?) -> String {
    guard let device else { return "another machine" }
    let peer = membership.teams.map { PeerID(team: $0.id, device: device) }.first { names[$0] != nil }
    return peer.flatMap { peer in claimed(by: peer).map { label(of: peer, saying: $0) } } ?? device.description
  }

  /// A device has said in a session what it is called.
  ///
  /// - Returns: Its label.
  func said(_ name: String, by peer: PeerID) -> String {
    let isChanged = names.said(
      name,
      by: peer,
      own: own(),
      isRemoved: { [membership] in membership.isRevoked($0) },
      isOthers: { isOthers(name, than: peer, $0) }
    )
    if isChanged {
      forgetSurplus(in: peer.team)
      change()
    }
    return label(of: peer, saying: name)
  }

  /// Whether another device was admitted with this name, and was not met here, or still calls itself so.
  private func isOthers(_ name: String, than peer: PeerID, _ names: DeviceNames) -> Bool {
    guard let team = membership.teams.first(where: { $0.id == peer.team }), team.isAdministrator else { return false }
    let key = key(of: name)
    return ((try? membership.devices(of: team)) ?? []).contains { device in
      let other = PeerID(team: peer.team, device: device.device)
      return other != peer && device.revoked == nil && self.key(of: device.name) == key
        && names[other].map { self.key(of: $0.claim) == key } ?? true
    }
  }

  /// The key of a name. Each session compares its name with all others, and making a key takes microseconds.
  private func key(of name: String) -> NameKey {
    let bytes = Array(name.utf8)
    if let key = keys[bytes] { return key }
    if keys.count >= Self.keptKeys { keys = [:] }
    let key = NameKey(name)
    keys[bytes] = key
    return key
  }

  /// A person has given the device the name that it calls itself.
  ///
  /// - Returns: The device that had it; nil if none had.
  /// - Throws: `peerNotFound` if the device was never met; `storageFailed`.
  func accept(_ peer: PeerID, for user: UserID) async throws(Reason) -> PeerID? {
    try await file.change(for: user) { [self] () async throws(Reason) in
      guard names[peer] != nil else { throw .peerNotFound }
      var accepted = names
      let former = accepted.accept(peer)
      try await write(accepted)
      // Others may have been met meanwhile, which the next save writes. If the device calls itself otherwise now, that
      // is not the name that the person has accepted.
      guard names[peer]?.claim == accepted[peer]?.claim else { throw .peerNotFound }
      _ = names.accept(peer)
      return former
    }
  }

  /// A session with the devices begins or ends. A machine that loses its power knows when the last one began.
  func met(_ peers: some Sequence<PeerID>) {
    for peer in peers { names.met(peer, at: Int64(Loop.clock.date)) }
    change(within: Self.rememberMeetingsTime)
  }

  /// When the last session with a device ended, as far as that is known.
  func lastMet(_ peer: PeerID) -> Int64? { names[peer]?.met }

  /// Forgets a device that has left the team. Its names are free, also if an administrator has it in the list of those
  /// that were admitted.
  func forget(_ peer: PeerID) {
    names.forget(peer)
    names.restore(DeviceNames.Entry(claim: ""), of: peer)
    change()
  }

  /// What a device has called itself last, in a session.
  func claimed(by peer: PeerID) -> String? { names[peer]?.claim }

  /// All devices of a team that were met and have not left it, with their labels.
  func devices(in team: TeamID) -> [(peer: PeerID, label: String)] {
    names.devices(in: team).filter { names[$0]?.claim.isEmpty == false }.map {
      ($0, label(of: $0, saying: names[$0]?.claim ?? ""))
    }
  }

  /// Moves the devices of a team to another team.
  func rename(_ old: TeamID, to team: TeamID) {
    guard !names.devices(in: old).isEmpty else { return }
    names.rename(old, to: team)
    change()
  }

  /// Forgets the devices of a team that this machine has left.
  func forget(_ team: TeamID) {
    let gone = names.devices(in: team)
    gone.forEach { names.forget($0) }
    if !gone.isEmpty { change() }
  }

  /// Keeps at most `Limits.admittedDevices` devices of a team, as administrators do, and `Limits.rememberedPeers`
  /// altogether. If there are more, the team, or the user who has the most, loses the one that was not met for longest.
  private func forgetSurplus(in team: TeamID) {
    guard names.count > min(Limits.admittedDevices, Limits.rememberedPeers) else { return }
    let known = names.all.enumerated().map { (peer: $0.element.peer, order: $0.offset) }
    let members = known.filter { $0.peer.team == team }
    if members.count > Limits.admittedDevices { return names.forget(members[0].peer) }
    guard known.count > Limits.rememberedPeers else { return }
    let oldest = known.surplus(of: { membership.owner(of: $0.peer.team) }, by: \.order)
    if let oldest { names.forget(oldest.peer) }
  }

  private func change(within time: Duration = Limits.rememberTime) {
    isChanged = true
    let due = Loop.now + time
    if timer?.deadline.map({ $0 > due }) ?? true { timer?.set(due) }
  }

  private func write(_ names: DeviceNames) async throws(Reason) {
    try await file.write(names.all.map { Entry($0.peer, $0.entry).json } + others)
  }

  /// Writes the changes, and returns when they are on the disk. If that fails, it is tried again at the next change.
  func save() async {
    timer?.set(nil)
    try? await file.change { [self] () async throws(Reason) in
      guard isChanged else { return }
      isChanged = false
      do throws(Reason) { try await write(names) } catch { isChanged = true }
    }
  }
}
