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
    @Coded<ActivationToken?> package var activationToken: String?
    /// What the person was shown. The call fails if the offer is no longer that. Nil if nothing was shown.
    package let shown: ShownOffer?

    package init(
      id: ActivityID,
      deviceID: DeviceID? = nil,
      activationToken: String? = nil,
      shown: ShownOffer? = nil
    ) {
      self.id = id
      self.deviceID = deviceID
      self.activationToken = activationToken
      self.shown = shown
    }
  }

  package typealias Reply = Nothing

  package enum ActivationToken: MemberCoding {
    package static func decode(_ json: JSON?) -> String? { json?.string.flatMap { isActivationToken($0) ? $0 : nil } }
    package static func encode(_ token: String) -> JSON? { .string(token) }
  }

  /// Whether the text can be an activation token: printable ASCII, 1 to `Limits.activationTokenLength` bytes.
  package static func isActivationToken(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Limits.activationTokenLength
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
