import Activity
import TLS

/// Who was removed from a team.
extension TeamStore {
  // MARK: On the administrator's machine

  /// Removes a device from a team: signs a list with it and all that were removed before, makes a discovery key that it
  /// does not know, and keeps both. A crash leaves the old ones or the new.
  ///
  /// - Parameters:
  ///   - device: One of ``devices(of:)``. Nothing changes where it was removed before.
  ///   - now: Seconds since 1970.
  /// - Throws: `teamNotFound`, `notAdministrator`, `peerNotFound`, `limitReached`.
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

  /// Makes one list of several, under a discovery key that none of the devices knows which any of them names: so the team
  /// is one again after this machine was put back to an earlier state. Where that is not possible, all of them go on to
  /// count.
  ///
  /// - Returns: The lists since then; where nothing is to be done, those of before.
  private func united(_ lists: RevocationLists, of team: Team, now: Int64) -> RevocationLists {
    guard team.isAdministrator, lists.all.count > 1 else { return lists }
    var united = lists
    do throws(Reason) {
      united.insert(try storing { try sign(lists.entries, after: lists, of: team, now: now) })
    } catch {
      log("The revocation lists of \(team.id) stay apart, and all of them count: \(error.rawValue)")
    }
    return united
  }

  /// The same for what is on the disk: its other half may be of before a backup.
  func uniteRevocations(of team: Team, now: Int64) {
    let lists = team.credentials.revocations
    let united = united(lists, of: team, now: now)
    guard united != lists else { return }
    // It is logged, and tried again with the next start or list.
    try? storing { try keep(united, of: team) }
  }

  /// A list of `entries` that is newer than `lists`, and a discovery key for it.
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

  /// Takes the revocation list that a peer gave, where it is newer than those that are here, or names what none of them
  /// does. The authority's machine makes one list of all.
  ///
  /// - Parameters:
  ///   - der: The list.
  ///   - discoveryKey: The key that goes with it.
  ///   - now: Seconds since 1970.
  /// - Returns: Whether anything is other than before.
  /// - Throws: `teamNotFound`; `certificateInvalid` where the team's authority has not signed the list, or for another key.
  package func take(_ der: [UInt8], discoveryKey: [UInt8], of id: TeamID, now: Int64) throws(Reason) -> Bool {
    let team = try team(id)
    // Not logged here: a peer can give as many as it likes.
    guard let list = try? RevocationList(der: der, authority: team.credentials.authority),
      list.isWith(discoveryKey: discoveryKey)
    else { throw .certificateInvalid }
    var lists = team.credentials.revocations
    guard lists.insert(RevocationLists.Held(list, discoveryKey: discoveryKey)) else { return false }
    tellOfLoss(team.credentials.revocations, lists)
    let united = united(lists, of: team, now: now)
    // Also the keys of lists that are in another now: who gave them is announced under them.
    // It counts also where the disk does not take it: to refuse somebody takes none. After a restart a peer gives it again.
    try? storing { try keep(united, of: team, passing: lists, isUnconditional: true) }
    return true
  }

  private func tellOfLoss(_ before: RevocationLists, _ lists: RevocationLists) {
    for entry in before.entries where !lists.names(entry.device) {
      log("Too many revocation lists: \(entry.device) is not refused any more until its list comes again")
    }
  }

  /// - Parameters:
  ///   - passing: Lists whose keys become keys of before, too.
  ///   - isUnconditional: They count also where they cannot be written.
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
    if isUnconditional { replace(changed) }
    try files(of: team).replace(file)
    replace(changed)
  }
}
