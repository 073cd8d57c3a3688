// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// How many damaged files are named. The journal names all of them.
  private static let namedFiles = 8

  /// - Parameters:
  ///   - names: The names of the user's teams.
  ///   - damage: Sentences without a period, which say what part of the teams' state cannot be used.
  package static func team(_ names: [String], damage: [String] = []) -> Finding {
    guard damage.isEmpty else {
      return Finding(
        .team,
        .failed,
        damage.prefix(namedFiles).joined(separator: "; ") + ".",
        reason: .storageFailed,
        advice: localized(
          "Restore the files from a backup, and restart batond. See \"Damaged state\" in the documentation."
        )
      )
    }
    guard !names.isEmpty else {
      return Finding(
        .team,
        .failed,
        localized("You're not in a team on this machine."),
        reason: .teamNotFound,
        advice: localized("Create one with `baton team create NAME`, or join one with `baton team join`.")
      )
    }
    if let twice = names.first(where: { name in names.count { $0.hasBytes(of: name) } > 1 }) {
      return Finding(
        .team,
        .note,
        localized("More than one of your teams is called \(twice)."),
        reason: .teamAmbiguous,
        advice: localized("Specify them by their IDs, as shown by `baton team list`.")
      )
    }
    return Finding(
      .team,
      .passed,
      localized(names.count, one: "In the team \(list(names)).", other: "In the teams \(list(names)).")
    )
  }

  /// - Parameter obstacle: Why nothing can be written to the state directory.
  /// - Returns: Nil if something can.
  package static func state(_ obstacle: String?) -> Finding? {
    guard let obstacle else { return nil }
    return Finding(
      .team,
      .failed,
      localized("Can't save anything: \(obstacle)."),
      reason: .storageFailed,
      advice: localized("Free some space on the disk with batond's state directory, or make the directory writable.")
    )
  }

  /// - Parameter paths: Files that could not be read and were renamed.
  /// - Returns: Nil if there are none.
  package static func setAside(_ paths: [String]) -> Finding? {
    guard !paths.isEmpty else { return nil }
    return Finding(
      .team,
      .note,
      localized("Unreadable state was set aside: \(list(Array(paths.prefix(namedFiles))))."),
      advice: localized(
        "Restore a backup or carry on without it, then delete the file. State.md explains what it contained."
      )
    )
  }

  /// - Parameters:
  ///   - team: The team whose key is locked.
  ///   - devices: How many devices wait for a certificate because of that.
  ///   - isOwnDue: Whether this machine's own certificate is about to expire.
  /// - Returns: Nil if nothing waits.
  package static func locked(_ team: String, devices: Int, isOwnDue: Bool) -> Finding? {
    guard devices > 0 || isOwnDue else { return nil }
    let waiting =
      if devices == 0 {
        localized("This machine is waiting for a new certificate.")
      } else if isOwnDue {
        localized(
          devices,
          one: "This machine and \(devices) other machine are waiting for a new certificate.",
          other: "This machine and \(devices) other machines are waiting for a new certificate."
        )
      } else {
        localized(
          devices,
          one: "\(devices) other machine is waiting for a new certificate.",
          other: "\(devices) other machines are waiting for a new certificate."
        )
      }
    return Finding(
      .certificate,
      .note,
      localized("The key of the team \(team) is locked.") + " \(waiting)",
      reason: .passphraseNeeded,
      advice: localized("Run `baton team unlock` here while the others are online.")
    )
  }

  /// This machine's certificate in one team.
  package struct OwnCertificate: Equatable, Sendable {
    /// Seconds since 1970.
    package let joined: Double
    package let expires: Double
    package let team: String

    package init(team: String, joined: Double, expires: Double) {
      self.team = team
      self.joined = joined
      self.expires = expires
    }
  }

  /// How long before its expiry a certificate is worth a note, in seconds. By then, nobody has been there to renew it
  /// for three months.
  static let renewalTime = 30.0 * 86400

  /// - Parameter now: The time by this machine's clock, in seconds since 1970.
  package static func certificates(_ certificates: [OwnCertificate], now: Double) -> Finding {
    guard let first = certificates.min(by: { $0.expires < $1.expires }) else {
      return Finding(.certificate, .skipped, localized("There's no certificate, because this machine isn't in a team."))
    }
    // Checked: numbers with a fraction do not overflow.
    if certificates.contains(where: { now < $0.joined - Limits.clockTolerance }) {
      return Finding(
        .certificate,
        .failed,
        localized("This machine's clock shows a time before it joined the team."),
        reason: .clockSkewed,
        advice: localized("Set the clock: `sudo timedatectl set-ntp true`.")
      )
    }
    guard now < first.expires else {
      return Finding(
        .certificate,
        .failed,
        localized("This machine's certificate for the team \(first.team) has expired."),
        reason: .certificateExpired,
        advice: localized("Check the clock. If it's right, join the team again with a code from `baton team invite`.")
      )
    }
    guard now < first.expires - renewalTime else {
      // Checked: more than 0, and at most renewalTime.
      let days = Int(clamping: Int64((first.expires - now) / 86400))
      return Finding(
        .certificate,
        .note,
        localized(
          days,
          one: "This machine's certificate for the team \(first.team) expires in \(days) day.",
          other: "This machine's certificate for the team \(first.team) expires in \(days) days."
        ),
        advice:
          localized(
            """
            It's renewed automatically when this machine connects to an admin machine. If the key is locked there, \
            run `baton team unlock` on that machine.
            """
          )
      )
    }
    return Finding(.certificate, .passed, localized("This machine's certificate is valid."))
  }
}
