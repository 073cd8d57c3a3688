import Activity
import JSONCoding
import Varlink

/// The type `Device`: a device that this machine or another administrator has admitted to a team.
package struct ControlDevice: Structure {
  /// The name that the device gave itself. Empty if it is not known.
  package let name: String
  package let deviceID: DeviceID
  /// The serial number of its newest certificate, in hexadecimal digits.
  package let serial: String
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package let admitted: Double
  /// Seconds since 1970-01-01 00:00:00 UTC. Nil if the device was not removed.
  package let revoked: Double?
  /// Whether the device has the team's key, too.
  @Coded<FalseByDefault> package var administrator: Bool

  package init(
    name: String,
    deviceID: DeviceID,
    serial: String,
    admitted: Double,
    revoked: Double? = nil,
    administrator: Bool = false
  ) {
    self.name = name
    self.deviceID = deviceID
    self.serial = serial
    self.admitted = admitted
    self.revoked = revoked
    self.administrator = administrator
  }
}
