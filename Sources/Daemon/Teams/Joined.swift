// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding

/// What a device receives when it is admitted (Protocol.md section 8). It contains the discovery key, which is secret.
package struct Joined: Equatable, Sendable {
  package static let frameType: UInt8 = 33

  /// The device's certificate, in PEM.
  package let certificate: String
  /// The certificate of the team's authority, in PEM.
  package let authority: String
  /// 32 bytes.
  package let discoveryKey: [UInt8]
  /// The team's name.
  package let team: String
  /// The newest revocation list, in DER; nil if there is none yet.
  package let revocations: [UInt8]?
  /// The machine that admits; nil if it does not say.
  package let device: DeviceID?
  /// Where the team's devices meet if they share no network; nil if there is no such place.
  package let rendezvous: RendezvousAccess?

  init(
    certificate: String,
    authority: String,
    discoveryKey: [UInt8],
    team: String,
    revocations: [UInt8]? = nil,
    device: DeviceID? = nil,
    rendezvous: RendezvousAccess? = nil
  ) {
    self.certificate = certificate
    self.authority = authority
    self.discoveryKey = discoveryKey
    self.team = team
    self.revocations = revocations
    self.device = device
    self.rendezvous = rendezvous
  }

  /// Reads the message. The result is nil if a member is missing or has the wrong type.
  package init?(json: JSON) {
    guard let object = json.object, let certificate = object["certificate"]?.string,
      let authority = object["authority"]?.string, let team = object["team"]?.string,
      let discoveryKey = object["discoveryKey"]?.string.flatMap(Base64.decode)
    else { return nil }
    let revocations = object["revocations"]?.string.flatMap(Base64.decode)
    guard revocations != nil || object["revocations"] == nil else { return nil }
    let device = object["device"]?.string.flatMap(DeviceID.init(text:))
    guard device != nil || object["device"] == nil else { return nil }
    let rendezvous = object["rendezvous"].flatMap(RendezvousAccess.init(json:))
    guard rendezvous != nil || object["rendezvous"] == nil else { return nil }
    self.init(
      certificate: certificate,
      authority: authority,
      discoveryKey: discoveryKey,
      team: team,
      revocations: revocations,
      device: device,
      rendezvous: rendezvous
    )
  }

  package var json: JSON { .object(members) }

  var members: [String: JSON] {
    var members: [String: JSON] = [
      "certificate": .string(certificate), "authority": .string(authority),
      "discoveryKey": .string(Base64.encode(discoveryKey)), "team": .string(team),
    ]
    members["revocations"] = revocations.map { .string(Base64.encode($0)) }
    members["device"] = device.map { .string($0.text) }
    members["rendezvous"] = rendezvous?.json
    return members
  }
}
