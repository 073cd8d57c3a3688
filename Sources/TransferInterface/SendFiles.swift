import Activity
import JSONCoding
import Transfers
import Varlink

/// Sends files and folders to another machine. Returns as soon as the transfer is in the outbox.
package enum SendFiles: Method {
  package static let name = "io.baton.Transfers.Send"

  package struct Parameters: Structure {
    /// File URLs.
    package let files: [String]
    package let deviceID: DeviceID
    /// The name of the device, for people.
    package let device: String
    /// The ID of the team that the device is in. Nil is allowed unless it is in several teams of the user.
    package let team: String?
    /// Seconds since 1970-01-01 00:00:00 UTC. Nil for the usual time.
    package let expires: Double?

    package init(files: [String], deviceID: DeviceID, device: String, team: String?, expires: Double? = nil) {
      (self.files, self.deviceID, self.device) = (files, deviceID, device)
      (self.team, self.expires) = (team, expires)
    }
  }

  package typealias Reply = TransferReply
}

/// One transfer.
package struct TransferReply: Structure {
  package let transfer: ControlTransfer

  package init(_ transfer: ControlTransfer) { self.transfer = transfer }
}
