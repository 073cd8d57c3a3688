// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Varlink

/// The type `Team`: a team that this machine is in.
package struct ControlTeam: Structure {
  /// The team's ID. On the socket, it is `fingerprint` and the `id` that is made from that.
  package let id: TeamID
  package let name: String
  /// Whether this machine can admit others.
  package let administrator: Bool
  /// This machine's ID in the team.
  package let deviceID: DeviceID
  /// The time at which this machine's certificate expires, in seconds since 1970-01-01 00:00:00 UTC.
  package let expires: Double
  /// Whether the team's key on this machine has a passphrase.
  @Coded<FalseByDefault> package var passphrase: Bool

  package init(
    id: TeamID,
    name: String,
    administrator: Bool,
    deviceID: DeviceID,
    expires: Double,
    passphrase: Bool = false
  ) {
    self.id = id
    self.name = name
    self.administrator = administrator
    self.deviceID = deviceID
    self.expires = expires
    self.passphrase = passphrase
  }

  private enum CodingKeys: CodingKey { case fingerprint, id, name, administrator, deviceID, expires, passphrase }

  package init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    guard let id = Fingerprint.team(of: try members.decode(String.self, forKey: .fingerprint)) else {
      throw InvalidParameter("fingerprint")
    }
    self.id = id
    guard try members.decode(String.self, forKey: .id) == id.description else { throw InvalidParameter("id") }
    name = try members.decode(String.self, forKey: .name)
    administrator = try members.decode(Bool.self, forKey: .administrator)
    deviceID = try members.decode(DeviceID.self, forKey: .deviceID)
    expires = try members.decode(Double.self, forKey: .expires)
    _passphrase = try members.decode(Coded<FalseByDefault>.self, forKey: .passphrase)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(Fingerprint.text(of: id), forKey: .fingerprint)
    try members.encode(id.description, forKey: .id)
    try members.encode(name, forKey: .name)
    try members.encode(administrator, forKey: .administrator)
    try members.encode(deviceID, forKey: .deviceID)
    try members.encode(expires, forKey: .expires)
    try members.encode(_passphrase, forKey: .passphrase)
  }
}
