// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

@testable import TLS

/// Certificates that no authority of ours would sign, or that are not this team's.
enum OddCertificate: String, CaseIterable {
  case selfSigned, sameNameOtherKey, sameDeviceKeyOtherAuthority, expired, notYetValid
  case noExtendedKeyUsage, serverOnly, clientOnly, authority, signedByDevice, intermediateShown, intermediateHidden
  case wrongKeyUsage

  /// The reason for which our side refuses it, in either role.
  var reason: Reason {
    switch self {
    // Who signed what leads nowhere, or too far, is not known.
    case .selfSigned, .sameNameOtherKey, .sameDeviceKeyOtherAuthority, .intermediateHidden, .intermediateShown,
      .signedByDevice:
      .otherTeam
    case .expired, .notYetValid: .certificateExpired
    case .noExtendedKeyUsage, .serverOnly, .clientOnly, .authority, .wrongKeyUsage: .certificateInvalid
    }
  }

  /// Returns the behaviour of a peer that knows the team's secret names and shows this certificate.
  func behaviour(in team: TestTeam) throws -> ForeignPeer.Behaviour {
    let key = try PrivateKey.make()
    var behaviour = ForeignPeer.Behaviour().showing(try team.device())
    behaviour.key = key
    var template = Authority.deviceTemplate(now: now)
    var issuer = CertificateTemplate.Issuer.authority(team.authority.certificate, team.authority.key)
    switch self {
    case .selfSigned: issuer = .itself(key)
    case .sameNameOtherKey, .sameDeviceKeyOtherAuthority:
      let other = try TestTeam().authority
      issuer = .authority(other.certificate, other.key)
      if self == .sameDeviceKeyOtherAuthority { behaviour.key = try team.device().key }
    case .expired: template.notAfter = now - 1
    case .notYetValid: template.notBefore = now + 25 * 3600
    case .noExtendedKeyUsage: template.extendedKeyUsage = nil
    case .serverOnly: template.extendedKeyUsage = "serverAuth"
    case .clientOnly: template.extendedKeyUsage = "clientAuth"
    case .authority:
      template.basicConstraints = "CA:TRUE"
      template.keyUsage = "digitalSignature,keyCertSign"
    case .wrongKeyUsage: template.keyUsage = "keyAgreement"
    case .signedByDevice:
      let device = try team.device()
      issuer = .authority(device.certificate, device.key)
      behaviour.chain = [device.certificate]
    case .intermediateShown, .intermediateHidden:
      let middleKey = try PrivateKey.make()
      var middle = Authority.deviceTemplate(now: now)
      middle.basicConstraints = "CA:TRUE"
      middle.keyUsage = "keyCertSign"
      middle.extendedKeyUsage = nil
      middle.commonName = "Middle"
      let certificate = try middle.signed(for: middleKey.pointer, by: issuer)
      issuer = .authority(certificate, middleKey)
      if self == .intermediateShown { behaviour.chain = [certificate] }
    }
    behaviour.certificate = try template.signed(for: behaviour.key!.pointer, by: issuer)
    return behaviour
  }
}

extension PrivateKey {
  /// Returns a key of another algorithm: "RSA", or "EC" with a group.
  static func make(algorithm: String, group: String? = nil) throws -> PrivateKey {
    let context = EVP_PKEY_CTX_new_from_name(nil, algorithm, nil)
    defer { EVP_PKEY_CTX_free(context) }
    var key: OpaquePointer?
    guard EVP_PKEY_keygen_init(context) == 1,
      group == nil || EVP_PKEY_CTX_set_group_name(context, group) == 1,
      EVP_PKEY_generate(context, &key) == 1, let key
    else { throw TLSError.fromOpenSSL(doing: "Testing") }
    return PrivateKey(owned: key)
  }
}
