import Activity
import JSONCoding
import Varlink

/// Lets an app continue an offer: one that has registered its type, or one that is started for it.
package enum OpenOffer: Method {
  package static let name = "io.baton.Handoff.OpenOffer"

  package struct Parameters: Structure {
    package let id: ActivityID
    /// See ``Continue``.
    package let deviceID: DeviceID?
    /// The token that lets a started app take the focus: the value of `XDG_ACTIVATION_TOKEN`.
    package let activationToken: String?

    package init(id: ActivityID, deviceID: DeviceID? = nil, activationToken: String? = nil) {
      self.id = id
      self.deviceID = deviceID
      self.activationToken = activationToken
    }

    package init(_ members: inout Members) throws(InvalidParameter) {
      id = try members.activityID("id")
      deviceID = try members.optionalDeviceID("deviceID")
      activationToken = try members.optional("activationToken") { json in
        json.string.flatMap { OpenOffer.isActivationToken($0) ? $0 : nil }
      }
    }

    package var members: [String: JSON] {
      var members: [String: JSON] = ["id": .string(id.description)]
      members["deviceID"] = deviceID.map { .string($0.text) }
      members["activationToken"] = activationToken.map(JSON.string)
      return members
    }
  }

  package typealias Reply = Nothing

  /// Whether the text can be an activation token: printable ASCII, 1 to `Limits.activationTokenLength` bytes.
  package static func isActivationToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Limits.activationTokenLength
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
