// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// The devices that were removed from a team.
extension TeamStore {
  // MARK: On the administrator's machine

  /// Removes a device from a team. This signs a list with the device and all that were removed before, makes a
  /// discovery key that they do not know, and stores both. A crash leaves the old ones or the new ones.
  ///
  /// - Parameters:
  ///   - device: One of ``devices(of:)``. If it was already removed, nothing changes.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `peerNotFound`, `limitReached`, `passphraseNeeded`.
  package func revoke(_ device: DeviceID, of id: TeamID, now: Int64) throws(Reason) {
    let team = try administered(id)
    let held = team.credentials.revocations
    guard !held.names(device) else { return }
    guard let admitted = try devices(of: id).first(where: { $0.device == device }) else { throw .peerNotFound }
    let entry = RevocationList.Entry(device: device, serial: admitted.serial, date: now)
    try storing {
      var lists = held
      lists.insert(try sign(held.entries + [entry], after: held, of: team, now: now))
      try keep(lists, of: team)
    }
  }

  /// Merges several lists into one, with a discovery key that no device named in any of them knows. So the team is one
  /// again after this machine was restored to an earlier state. If this is impossible, all lists continue to count.
  ///
  /// - Returns: The lists afterwards. If there is nothing to do, these are the same.
  private func united(_ lists: RevocationLists, of team: Team, now: Int64) -> RevocationLists {
    guard team.isAdministrator, lists.all.count > 1 else { return lists }
    var united = lists
    do throws(Reason) {
      united.insert(try storing { try sign(lists.entries, after: lists, of: team, now: now) })
    } catch {
      log("Can't merge the revocation lists of \(team.id), so all of them apply: \(error.rawValue)")
    }
    return united
  }

  /// Does the same for the lists on the disk, some of which may be from before a backup was restored.
  func uniteRevocations(of team: Team, now: Int64) {
    let lists = team.credentials.revocations
    let united = united(lists, of: team, now: now)
    guard united != lists else { return }
    // A failure is logged. The next start or the next list tries again.
    try? storing { try keep(united, of: team) }
  }

  /// Signs a list of `entries` that is newer than `lists`, and makes a discovery key for it.
  private func sign(
    _ entries: [RevocationList.Entry],
    after lists: RevocationLists,
    of team: Team,
    now: Int64
  ) throws -> RevocationLists.Held {
    let number = RevocationNumber.next(after: lists.number, now: now, random: .random(in: 0 ... .max))
    guard entries.count <= Limits.revokedDevices, let number else { throw Reason.limitReached }
    let key = SystemRandom.bytes(Sealer.keyLength)
    let list = try authority(of: team).sign(entries, number: number, discoveryKey: key, now: now)
    return RevocationLists.Held(list, discoveryKey: key)
  }

  // MARK: On every machine

  /// Accepts the revocation list that a peer sent, if it is newer than those here, or no single one of them names
  /// everything that it names. The authority's machine merges all lists into one.
  ///
  /// - Parameters:
  ///   - der: The list.
  ///   - discoveryKey: The key that belongs to it.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether anything has changed.
  /// - Throws: `teamNotFound`; `certificateInvalid` if the team's authority has not signed the list, or for another
  ///   key.
  package func take(_ der: [UInt8], discoveryKey: [UInt8], of id: TeamID, now: Int64) throws(Reason) -> Bool {
    let list = try revocationList(der, discoveryKey: discoveryKey, of: id)
    let team = try team(id)
    var lists = team.credentials.revocations
    guard lists.insert(RevocationLists.Held(list, discoveryKey: discoveryKey)) else { return false }
    tellOfLoss(team.credentials.revocations, lists)
    let united = united(lists, of: team, now: now)
    // Keep the keys of lists that are now contained in another one, too, because the peer that sent such a list is
    // announced under its key. The lists count even if they cannot be written, because refusing a device needs no disk.
    // After a restart, a peer sends them again.
    try? storing { try keep(united, of: team, passing: lists, isUnconditional: true) }
    return true
  }

  /// Reads a list that a peer sent.
  ///
  /// - Throws: Like ``take(_:discoveryKey:of:now:)``.
  package func revocationList(
    _ der: [UInt8],
    discoveryKey: [UInt8],
    of id: TeamID
  ) throws(Reason) -> RevocationList {
    let authority = try team(id).credentials.authority
    // This is not logged here, because a peer can send as many as it likes.
    guard let list = try? RevocationList(der: der, authority: authority),
      list.isWith(discoveryKey: discoveryKey)
    else { throw .certificateInvalid }
    return list
  }

  private func tellOfLoss(_ before: RevocationLists, _ lists: RevocationLists) {
    for entry in before.entries where !lists.names(entry.device) {
      log("Too many revocation lists: \(entry.device) is no longer refused until its list is received again")
    }
  }

  /// - Parameters:
  ///   - passing: Lists whose keys become previous keys, too.
  ///   - isUnconditional: Whether the lists count even if they cannot be written.
  private func keep(
    _ lists: RevocationLists,
    of team: Team,
    passing: RevocationLists = RevocationLists(),
    isUnconditional: Bool = false
  ) throws {
    var keys: [[UInt8]] = []
    let passed = (passing.all + lists.all).reversed().map(\.discoveryKey)
    for key in passed + [team.credentials.discoveryKey] + team.credentials.previousKeys
    where key != lists.newest?.discoveryKey && !keys.contains(key) {
      keys.append(key)
    }
    let previous = Array(keys.prefix(Limits.previousDiscoveryKeys))
    guard let file = RevocationFile(lists: lists, previousKeys: previous) else { return }
    let changed = try team.with(file)
    if isUnconditional {
      replace(changed)
      onRevoked?(team.id)
    }
    try files(of: team).replace(file)
    replace(changed)
  }
}
