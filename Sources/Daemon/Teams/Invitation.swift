// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import TLS

/// An invitation on an administrator's disk: `invitations/<identity>.json`. Its name becomes
/// `invitations/<identity>.used` when it is redeemed, and `invitations/<identity>.expired` when it is found to be over.
struct Invitation {
  /// In seconds since 1970, until the year 10000.
  private static let times: ClosedRange<Int64> = 0...253_402_300_799

  /// `K_psk`, 32 bytes.
  let key: [UInt8]
  /// Seconds since 1970.
  let expires: Int64
  /// How long the machine had been running when the invitation was made, in seconds, because the clock may be set back
  /// later. Nil in files of layout 1.
  let uptime: Int64?
  /// The start of the machine that ``uptime`` counts from; nil in files of layout 1.
  let boot: String?
  /// The file that it was written to. No copy can be redeemed, because a backup may be older than its use.
  let origin: String?
  /// Set if the invitation is for the machines of a replaced team; nil if it is for one machine.
  let renewal: Renewal?

  init(key: [UInt8], expires: Int64, uptime: Int64?, boot: String?, origin: String, renewal: Renewal? = nil) {
    self.key = key
    self.expires = expires
    self.uptime = uptime
    self.boot = boot
    self.origin = origin
    self.renewal = renewal
  }

  init?(bytes: [UInt8]) {
    guard let object = (try? JSON(parsing: bytes, depth: 4))?.object, let expires = object["expires"]?.int64,
      Self.times.contains(expires), let key = object["key"]?.string.flatMap(Base64.decode),
      key.count == Sealer.keyLength, Self.times.contains(object["uptime"]?.int64 ?? 0)
    else { return nil }
    self.key = key
    self.expires = expires
    uptime = object["uptime"]?.int64
    boot = object["boot"]?.string
    origin = object["origin"]?.string
    renewal = object["renewal"].flatMap(Renewal.init)
    guard (renewal == nil) == (object["renewal"] == nil) else { return nil }
  }

  /// Returns the same invitation in another file.
  func moved(to origin: String) -> Invitation {
    Invitation(key: key, expires: expires, uptime: uptime, boot: boot, origin: origin, renewal: renewal)
  }

  var bytes: [UInt8] {
    var members: [String: JSON] = ["key": .string(Base64.encode(key)), "expires": .integer(expires)]
    members["uptime"] = uptime.map(JSON.integer)
    members["boot"] = boot.map(JSON.string)
    members["origin"] = origin.map(JSON.string)
    members["renewal"] = renewal?.json
    return JSON.object(members).bytes
  }

  /// Whether it can still admit a machine.
  ///
  /// - Parameters:
  ///   - now: Seconds since 1970.
  ///   - uptime: How long the machine has been running, in seconds.
  ///   - boot: The current start of the machine.
  ///   - origin: The origin of the file that it was read from.
  func isOpen(now: Int64, uptime: Int64, boot: String, origin: String) -> Bool {
    guard now < expires, origin == self.origin, boot == self.boot, let made = self.uptime, made <= uptime else {
      return false
    }
    // Checked: made is not greater, and no time is negative.
    return uptime - made < (renewal == nil ? Limits.invitationTime : Renewal.renewalTime).components.seconds
  }

  /// The paths that an invitation has when it is open, used and expired.
  struct Paths {
    let open: String
    let used: String
    let expired: String

    init(identity: [UInt8], in directory: TeamDirectory) {
      self.init("\(directory.invitations)/\(Hexadecimal.encode(identity))")
    }

    /// - Parameter path: The path of an open invitation. For any other, the result is nil.
    init?(open path: String) {
      guard let name = path.start(beforeBytesOf: Self.openSuffix) else { return nil }
      self.init(String(name))
    }

    private init(_ name: String) {
      open = name + Self.openSuffix
      used = name + ".used"
      expired = name + ".expired"
    }

    private static let openSuffix = ".json"
  }
}
