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
  package let passphrase: Bool

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

  package init(_ members: inout Members) throws(InvalidParameter) {
    let fingerprint = try members.required("fingerprint") { $0.string.flatMap(Fingerprint.team(of:)) }
    id = try members.required("id") { $0.string == fingerprint.description ? fingerprint : nil }
    name = try members.required("name", \.string)
    administrator = try members.required("administrator", \.bool)
    deviceID = try members.deviceID("deviceID")
    expires = try members.required("expires", \.number)
    passphrase = try members.optional("passphrase", \.bool) ?? false
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [
      "id": .string(id.description), "fingerprint": .string(Fingerprint.text(of: id)), "name": .string(name),
      "administrator": .bool(administrator), "deviceID": .string(deviceID.text), "expires": .double(expires),
    ]
    if passphrase { members["passphrase"] = true }
    return members
  }
}
