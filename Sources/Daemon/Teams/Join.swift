// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What a joining device sends (Protocol.md section 8).
package struct Join: Equatable, Sendable {
  package static let frameType: UInt8 = 32

  /// PKCS #10 in PEM.
  package let request: String
  /// The device's name.
  package let device: String
  /// 32 bytes that the certificate must show, because anyone who has met the device may have another one for its key.
  /// Machines with earlier versions send none if the key is new.
  package let nonce: [UInt8]?

  /// The certificate, in PEM, that the device has in the team which this one replaces.
  package let certificate: String?

  package static let nonceLength = 32

  package init(request: String, device: String, nonce: [UInt8]?, certificate: String? = nil) {
    self.request = request
    self.device = device
    self.nonce = nonce
    self.certificate = certificate
  }

  /// Reads the message. The result is nil if a member is missing or has the wrong type.
  package init?(json: JSON) {
    guard let object = json.object, let request = object["request"]?.string, let device = object["device"]?.string
    else { return nil }
    let nonce = object["nonce"]?.string.flatMap(Base64.decode)
    guard object["nonce"] == nil || nonce?.count == Self.nonceLength else { return nil }
    let certificate = object["certificate"]?.string
    guard (object["certificate"] == nil) == (certificate == nil) else { return nil }
    self.init(request: request, device: device, nonce: nonce, certificate: certificate)
  }

  package var json: JSON {
    var members: [String: JSON] = ["request": .string(request), "device": .string(device)]
    members["nonce"] = nonce.map { .string(Base64.encode($0)) }
    members["certificate"] = certificate.map(JSON.string)
    return .object(members)
  }
}
