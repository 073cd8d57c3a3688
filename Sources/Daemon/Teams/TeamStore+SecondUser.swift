// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

/// Another user of a machine joins a team that the machine is already in. The machine stays the same device, and only
/// the code must be proved (Protocol.md section 8).
extension TeamStore {
  // MARK: On the administrator's machine

  /// Finds the device of the team that asks, although its request is for another key.
  ///
  /// - Returns: The device and the discovery key that it knows; nil for a new device, or one that uses its own key.
  func member(
    asking request: CertificateRequest,
    nonce: [UInt8]?,
    in team: Team
  ) throws(Reason) -> (device: DeviceID, discoveryKey: [UInt8])? {
    guard let nonce else { return nil }
    let requested = try checking { () throws(TLSError) in try request.deviceID }
    // Some removed devices are known only from a revocation list.
    let removed = team.credentials.revocations.entries.map(\.device)
    let devices = try devices(of: team.id).map(\.device) + [team.device] + removed
    return team.credentials.member(ofJoinNonce: nonce, for: requested, among: devices)
  }

  /// Tells a device of the team that its code is valid. The device gets no certificate, so there is nothing to
  /// remember, and no secret that it has not proved to know.
  ///
  /// - Parameter discoveryKey: The one that the device knows.
  func acknowledge(
    _ request: CertificateRequest,
    nonce: [UInt8],
    discoveryKey: [UInt8],
    of team: Team
  ) throws(Reason) -> Joined {
    try storing {
      let authority = try authority(of: team)
      return Joined(
        certificate: try authority.receipt(for: request, nonce: nonce).pem(),
        authority: try authority.certificate.pem(),
        discoveryKey: discoveryKey,
        team: team.name,
        device: team.device
      )
    }
  }

  // MARK: On the machine that joins

  /// Checks that a certificate, of whatever kind, proves that the team's authority has answered, and that this machine
  /// may stay in the team. The caller has checked that the certificate answers this request.
  ///
  /// - Throws: `otherTeam`, or the reason for which others refuse this machine.
  func check(proof certificate: Certificate, of team: Team, now: Int64) throws(Reason) {
    guard certificate.isSigned(by: team.credentials.authority) else {
      log("Refused an approval, because a different authority signed it")
      throw .otherTeam
    }
    try verify(team.credentials, now: now)
  }
}
