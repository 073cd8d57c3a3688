// SPDX-License-Identifier: Apache-2.0

import Activity
import COpenSSL

@testable import TLS

/// A certificate or a request in DER, both as it is and with a signature of the team's, which gets it past the first
/// check.
enum CertificateFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    get throws {
      [FuzzTeam.device, FuzzTeam.authority.certificate].flatMap { certificate in
        (try? certificate.der()).map { der in [[0] + der, [1] + der] } ?? []
      } + [[2] + (try request())]
    }
  }

  private static func request() throws -> [UInt8] {
    let text = try CertificateRequest.make(for: FuzzTeam.credentials.key).pem()
    return Base64.decode(text.split(atScalar: "\n").dropFirst().dropLast().joined()) ?? []
  }

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    guard let kind = input.first else { return }
    let der = Array(input.dropFirst())
    switch kind % 3 {
    case 2:
      guard let request = try? CertificateRequest(pem: pem(der, "CERTIFICATE REQUEST")) else { return }
      let certificate = try FuzzTeam.authority.sign(request, now: now)
      same(try certificate.deviceID, try request.deviceID)
      try certificate.verify(under: FuzzTeam.authority.certificate, now: now)
    case let kind:
      guard let certificate = try? Certificate(pem: pem(der, "CERTIFICATE")) else { return }
      if kind == 1 { X509_sign(certificate.pointer, FuzzTeam.authority.key.pointer, nil) }
      try check(certificate, isSignedAnew: kind == 1)
    }
  }

  private static let now: Int64 = 1_800_000_000

  private static func check(_ certificate: Certificate, isSignedAnew: Bool) throws {
    _ = try? certificate.expires
    if let nonce = certificate.nonce { same(nonce.count, PrivateExtension.byteCount) }
    let device = try? certificate.deviceID
    let serial = try? certificate.serial
    if let serial { hold(serial.first != 0, "A zero in front of a serial number") }
    do throws(TLSError) {
      try certificate.verify(under: FuzzTeam.authority.certificate, now: now)
    } catch { return }
    hold(device != nil && serial != nil, "It was verified, and names no device")
    hold(X509_check_ca(certificate.pointer) == 0, "An authority passes as a device")
    if !isSignedAnew { same(device, try FuzzTeam.device.deviceID, "What nobody has signed was verified") }
    var lists = RevocationLists()
    for held in FuzzTeam.lists { lists.insert(held) }
    let isNamed =
      device.map(lists.names) == true || serial.map { serial in lists.entries.contains { $0.serial == serial } } == true
    same(lists.names(certificate: certificate.pointer), isNamed)
  }

  static func pem(_ der: [UInt8], _ label: String) -> String {
    let digits = Array(Base64.encode(der).utf8)
    let lines = stride(from: 0, to: digits.count, by: 64).map { start in
      String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self)
    }
    return (["-----BEGIN \(label)-----"] + lines + ["-----END \(label)-----", ""]).joined(separator: "\n")
  }
}
