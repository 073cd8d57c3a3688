import Activity
import JSONCoding
import Varlink

/// Sends a message to the program that has called `RegisterIndex` on another machine.
package enum SendIndexMessage: Method {
  package static let name = "io.baton.Handoff.SendIndexMessage"

  package struct Parameters: Structure {
    /// The Team ID as people see it.
    package let team: String
    package let deviceID: DeviceID
    /// An object of at most `Limits.indexMessageLength` bytes.
    @Coded<IndexMessage> package var message: JSON

    package init(team: String, deviceID: DeviceID, message: JSON) {
      self.team = team
      self.deviceID = deviceID
      self.message = message
    }
  }

  package typealias Reply = Nothing
}
