// SPDX-License-Identifier: Apache-2.0

/// Which name belongs to which device, as ssh's known_hosts does for keys. A device chooses its own name, so a name
/// alone proves nothing: it belongs to the first device that used it in a session, until a user gives it to another
/// one, or the device is removed from the team.
///
/// People and programs get the ``label(of:saying:own:isRemoved:)`` of a device everywhere. A label that is not the name
/// alone ends with the first digits of the device's ID, and no label is that of two devices.
package struct DeviceNames: Sendable {
  package struct Entry: Equatable, Sendable {
    /// The device's own names, the newest last. It keeps those that it had before.
    package var names: [String]
    /// The device's own name for itself.
    package var claim: String
    /// When a session with it last began or ended, in seconds since 1970-01-01 00:00:00 UTC; nil if that is not known.
    package var met: Int64?

    package init(names: [String] = [], claim: String, met: Int64? = nil) {
      self.names = names
      self.claim = claim
      self.met = met
    }
  }

  private var entries: [PeerID: (entry: Entry, order: Int)] = [:]
  private var owners: [TeamID: [NameKey: DeviceID]] = [:]
  private var lastOrder = 0

  package init() {}

  /// All devices, the most recently met one last.
  package var all: [(peer: PeerID, entry: Entry)] {
    entries.sorted { $0.value.order < $1.value.order }.map { ($0.key, $0.value.entry) }
  }

  package var count: Int { entries.count }

  package subscript(peer: PeerID) -> Entry? { entries[peer]?.entry }

  /// The devices of a team.
  package func devices(in team: TeamID) -> [PeerID] { entries.keys.filter { $0.team == team } }

  // MARK: Labels

  /// The name that users see, and the names they can use for the device.
  ///
  /// - Parameters:
  ///   - name: The device's own name for itself, as it or others report it.
  ///   - own: The name of this machine.
  ///   - isRemoved: Whether a device was removed from the team. Its names are free.
  package func label(
    of peer: PeerID,
    saying name: String,
    own: String,
    isRemoved: (PeerID) -> Bool
  ) -> String {
    isFree(name, for: peer, own: own, isRemoved) ? name : Self.qualified(name, peer.device)
  }

  private func isFree(_ name: String, for peer: PeerID, own: String, _ isRemoved: (PeerID) -> Bool) -> Bool {
    guard !name.isEmpty else { return true }
    let key = NameKey(name)
    guard key != NameKey(own), !Self.isQualified(name), !isDigits(name, ofOther: peer) else { return false }
    // Another name is seen than is written: in a browser's list, U+202E and "potksed" look like "desktop".
    guard VisibleText.line(name).map({ $0.hasBytes(of: name) }) ?? false else { return false }
    // Unicode has the same letters with the mark in them, which look the same and have another key.
    guard !name.unicodeScalars.contains(where: NameKey.isPartOfLetter) else { return false }
    // No table of letters that look alike is complete.
    guard WrittenScript.isOne(of: name) else { return false }
    guard let owner = owners[peer.team]?[key], owner != peer.device else { return true }
    return isRemoved(PeerID(team: peer.team, device: owner))
  }

  private static let digitCount = 8

  /// The visible part of the name, with the first digits of the ID.
  package static func qualified(_ name: String, _ device: DeviceID) -> String {
    let start = VisibleText.line(name, limit: Limits.deviceNameLength - digitCount - 3) ?? "Machine"
    return start + " (" + device.text.prefix(digitCount) + ")"
  }

  /// Whether a name looks like one with digits of an ID, or with what programs say about a device after its name, such
  /// as `desktop (away)`. Something hardly visible can follow the parenthesis, so it counts wherever it is.
  private static func isQualified(_ name: String) -> Bool {
    name.unicodeScalars.contains { scalar in
      switch scalar.properties.generalCategory {
      case .openPunctuation, .closePunctuation: true
      default: false
      }
    }
  }

  /// Whether a name is the beginning of the ID of another device, by which people may call that one.
  private func isDigits(_ name: String, ofOther peer: PeerID) -> Bool {
    let digits = Array(name.uppercased().utf8)
    guard digits.count >= Self.shortestID, digits.count <= peer.device.text.utf8.count else { return false }
    return entries.keys.contains { $0.team == peer.team && $0 != peer && $0.device.text.utf8.starts(with: digits) }
  }

  /// The digits of an ID that name a device.
  package static let shortestID = 4

  // MARK: Changes

  /// A device has announced its name in a session. The name is its own if it belongs to no other device.
  ///
  /// - Parameter isOthers: Whether other records have another device of that name, which was not met here. It is given
  ///   these names, because the caller's cannot be read while they change.
  /// - Returns: Whether anything has changed.
  package mutating func said(
    _ name: String,
    by peer: PeerID,
    own: String,
    isRemoved: (PeerID) -> Bool,
    isOthers: (DeviceNames) -> Bool
  ) -> Bool {
    let before = entries[peer]?.entry
    var entry = before ?? Entry(claim: name)
    entry.claim = name
    let key = NameKey(name)
    let isOwner = owners[peer.team]?[key] == peer.device
    if !name.isEmpty, isFree(name, for: peer, own: own, isRemoved), isOwner || !isOthers(self) {
      take(key, from: peer.team)
      entry.names = (before?.names ?? []).filter { NameKey($0) != key } + [name]
    }
    put(entry, of: peer)
    return entry != before
  }

  /// A user has given the device the name that it claims.
  ///
  /// - Returns: The device that had it; nil if none had.
  package mutating func accept(_ peer: PeerID) -> PeerID? {
    guard var entry = entries[peer]?.entry, !entry.claim.isEmpty else { return nil }
    let key = NameKey(entry.claim)
    let former = owners[peer.team]?[key].map { PeerID(team: peer.team, device: $0) }
    take(key, from: peer.team)
    entry.names = entry.names.filter { NameKey($0) != key } + [entry.claim]
    put(entry, of: peer)
    return former == peer ? nil : former
  }

  /// A session with the device has begun or ended.
  package mutating func met(_ peer: PeerID, at date: Int64) { entries[peer]?.entry.met = date }

  /// Reads an entry. Earlier ones win.
  package mutating func restore(_ entry: Entry, of peer: PeerID) {
    guard entries[peer] == nil else { return }
    var entry = entry
    entry.names = entry.names.filter { owners[peer.team]?[NameKey($0)] == nil }
    put(entry, of: peer)
  }

  package mutating func forget(_ peer: PeerID) {
    guard let entry = entries.removeValue(forKey: peer)?.entry else { return }
    release(entry, of: peer)
  }

  /// Moves the devices of a team to another team.
  package mutating func rename(_ old: TeamID, to team: TeamID) {
    for (peer, entry) in all where peer.team == old {
      forget(peer)
      restore(entry, of: PeerID(team: team, device: peer.device))
    }
  }

  /// Takes a name from its owner.
  private mutating func take(_ key: NameKey, from team: TeamID) {
    guard let owner = owners[team]?[key] else { return }
    owners[team]?[key] = nil
    entries[PeerID(team: team, device: owner)]?.entry.names.removeAll { NameKey($0) == key }
  }

  private mutating func put(_ entry: Entry, of peer: PeerID) {
    if let before = entries[peer]?.entry { release(before, of: peer) }
    var entry = entry
    entry.names = Array(entry.names.suffix(Limits.namesPerDevice))
    lastOrder += 1  // Checked: one for each session and change of a name.
    entries[peer] = (entry, lastOrder)
    for name in entry.names { owners[peer.team, default: [:]][NameKey(name)] = peer.device }
  }

  private mutating func release(_ entry: Entry, of peer: PeerID) {
    for name in entry.names { owners[peer.team]?[NameKey(name)] = nil }
    if owners[peer.team]?.isEmpty == true { owners[peer.team] = nil }
  }
}
