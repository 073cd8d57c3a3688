// SPDX-License-Identifier: Apache-2.0

import Activity
import ChildProcess
import Foundation
import Testing

@testable import TLS

/// Certificates, as Protocol.md section 1 describes them and as the `openssl` command reads them.
@Suite struct CertificateTests {
  private let team: TestTeam
  private let device: Credentials

  init() throws {
    team = try TestTeam()
    device = try team.device()
  }

  @Test func devicesPassStrictVerifiers() throws {
    let directory = URL(filePath: NSTemporaryDirectory()).appending(path: "baton-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: directory) }
    let (authority, leaf) = (directory.appending(path: "ca.pem").path, directory.appending(path: "device.pem").path)
    try team.authority.certificate.pem().write(toFile: authority, atomically: false, encoding: .utf8)
    try device.certificate.pem().write(toFile: leaf, atomically: false, encoding: .utf8)
    for purpose in ["sslserver", "sslclient"] {
      let said = try openssl("verify", "-x509_strict", "-purpose", purpose, "-CAfile", authority, leaf)
      #expect(said == "\(leaf): OK\n")
    }
  }

  @Test func theAuthorityIsAsTheProtocolSays() throws {
    let text = try openssl("x509", "-noout", "-text", input: team.authority.certificate.pem())
    for part in [
      "Subject: CN = Baton team", "Issuer: CN = Baton team", "Public Key Algorithm: ED25519",
      "Basic Constraints: critical\n                CA:TRUE, pathlen:0\n",
      "Key Usage: critical\n                Certificate Sign, CRL Sign\n",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    #expect(!text.contains("Extended Key Usage"))
  }

  @Test func aDeviceIsAsTheProtocolSays() throws {
    let text = try openssl("x509", "-noout", "-text", input: device.certificate.pem())
    for part in [
      "Subject: CN = Baton device", "Public Key Algorithm: ED25519",
      "Basic Constraints: critical\n                CA:FALSE\n",
      "Key Usage: critical\n                Digital Signature\n",
      "TLS Web Server Authentication, TLS Web Client Authentication",
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
    let host = ProcessInfo.processInfo.hostName
    #expect(!text.contains("Subject Alternative Name") && !text.contains(host))
    #expect(try device.certificate.der().count < 450)
  }

  @Test func serialNumbersAreRandom() throws {
    let serials = try (0..<8).map { _ in
      try openssl("x509", "-noout", "-serial", input: team.device().certificate.pem())
    }
    #expect(Set(serials).count == serials.count)
    #expect(serials.contains { $0.count == "serial=\n".count + 32 })
  }

  @Test func identifiersAreThoseOfTheKey() throws {
    let der = try openssl("x509", "-noout", "-pubkey", input: team.authority.certificate.pem())
      .split(separator: "\n").dropFirst().dropLast().joined()
    let expected = SHA256.hash(Array(try #require(Data(base64Encoded: der))))
    #expect(try team.id.bytes == expected)
    #expect(try team.authority.key.publicKeyHash == expected, "Of the key as of the certificate")
    #expect(try device.device == device.key.deviceID && device.team == team.id)
  }

  /// The request asks for various things, but the certificate always says the same.
  @Test func nothingButTheKeyIsTakenFromARequest() throws {
    let pem = try openssl(
      "req",
      "-new",
      "-newkey",
      "ed25519",
      "-nodes",
      "-keyout",
      "/dev/null",
      "-subj",
      "/CN=root/O=evil",
      "-addext",
      "basicConstraints=CA:TRUE",
      "-addext",
      "subjectAltName=DNS:evil.example"
    )
    let certificate = try team.authority.sign(CertificateRequest(pem: pem), now: now)
    let text = try openssl("x509", "-noout", "-text", input: certificate.pem())
    #expect(!text.contains("evil") && !text.contains("CA:TRUE") && text.contains("CN = Baton device"))
    try certificate.verify(under: team.authority.certificate, now: now)
  }

  @Test func requestsForOtherKeysAreRefused() throws {
    for algorithm in ["rsa:2048", "ed448"] {
      let pem = try openssl("req", "-new", "-newkey", algorithm, "-nodes", "-keyout", "/dev/null", "-subj", "/CN=x")
      let error = #expect(throws: TLSError.self) { try CertificateRequest(pem: pem) }
      #expect(error?.reason == .requestInvalid)
    }
  }

  @Test func whatWasWrittenIsReadAgain() throws {
    let key = try PrivateKey(pem: device.key.pem())
    let certificate = try Certificate(pem: device.certificate.pem())
    #expect(certificate.isFor(key))
    #expect(try certificate.der() == device.certificate.der())
    #expect(try certificate.expires == now + Authority.deviceValidity)
    #expect(throws: TLSError.self) { try PrivateKey(pem: device.certificate.pem()) }
    #expect(throws: TLSError.self) { try Certificate(pem: device.key.pem()) }
    #expect(throws: TLSError.self) { try Authority(key: key, certificate: team.authority.certificate) }
    #expect(throws: TLSError.self) {
      try Credentials(
        key: team.authority.key,
        certificate: certificate,
        authority: team.authority.certificate,
        discoveryKey: team.discoveryKey
      )
    }
  }

  // MARK: Wrong clocks

  /// A machine without a battery shows 1970 after it starts, and another one shows the next century.
  private static let clocks: [Int64] = [.min, -1, 0, 86_400, Authority.earliest, 1 << 32, 1 << 42, .max]

  @Test(arguments: clocks)
  func aTeamOfAWrongClockIsOfUseToRightOnes(clock: Int64) throws {
    let team = try TestTeam(now: clock)
    let devices = try [clock, now].map { try team.device(now: $0) }
    for device in devices { try device.certificate.verify(under: team.authority.certificate, now: now) }
    let pair = try SessionPair(client: devices[0], servers: [devices[1]])
    #expect(pair.client.isEstablished && pair.server.peer == devices[0].device)
    let entry = RevocationList.Entry(device: devices[0].device, serial: [1], date: clock)
    let list = try team.authority.sign([entry], number: 1, discoveryKey: team.discoveryKey, now: clock)
    #expect(list.names(devices[0].device))
  }

  @Test(arguments: clocks)
  func aDeviceThatWasAdmittedWithAWrongClockIsOfUse(clock: Int64) throws {
    let device = try team.device(now: clock)
    try device.certificate.verify(under: team.authority.certificate, now: now)
    #expect(try SessionPair(client: device, servers: [self.device]).server.isEstablished)
    #expect(try device.certificate.expires > now)
    let text = try openssl("x509", "-noout", "-enddate", "-startdate", input: device.certificate.pem())
    #expect(text.contains("notAfter=") && text.contains("notBefore="), "Other programs can read the times: \(text)")
  }

  @Test func aCertificateIsGoodForItsWholeTimeFromNow() throws {
    #expect(try device.certificate.expires == now + Authority.deviceValidity)
    #expect(try team.authority.certificate.expires == now + Authority.validity)
    try device.certificate.verify(under: team.authority.certificate, now: Authority.earliest)
    #expect(throws: TLSError.self) {
      try device.certificate.verify(under: team.authority.certificate, now: now + Authority.deviceValidity + 1)
    }
  }

  @Test func aCertificateIsDueInItsLastThird() throws {
    let expires = try device.certificate.expires
    #expect(expires == now + 365 * 86_400)
    for (time, isDue) in [
      (now, false), (expires - Authority.renewalTime - 1, false), (expires - Authority.renewalTime, true),
      (expires, true),
      (.max, true), (.min, false),
    ] { #expect(device.certificate.isDue(now: time) == isDue, "\(time)") }
  }

  @Test func aCertificateIsRenewedForItsKeyAlone() throws {
    let later = now + 300 * 86_400
    let renewed = try team.authority.renew(device.certificate, isAdministrator: false, now: later)
    #expect(try renewed.isFor(device.key) && renewed.serial != device.certificate.serial && renewed.nonce == nil)
    #expect(try renewed.expires == later + Authority.deviceValidity)
    try renewed.verify(under: team.authority.certificate, now: now + 600 * 86_400)
    #expect(try team.credentials(key: device.key, certificate: renewed).device == device.device)
  }

  @Test func anAdministratorsCertificateSaysSo() throws {
    #expect(!device.certificate.isAdministrator)
    let certificate = try team.authority.renew(device.certificate, isAdministrator: true, now: now)
    #expect(certificate.isAdministrator)
    try certificate.verify(under: team.authority.certificate, now: now)
    let administrator = try team.credentials(key: device.key, certificate: certificate)
    let pair = try SessionPair(client: administrator, servers: [team.device()])
    #expect(pair.server.peerCertificate?.isAdministrator == true)
    #expect(pair.client.peerCertificate?.isAdministrator == false)
  }

  /// OpenSSL must not ask a terminal for the pass phrase, because that would hang a daemon.
  @Test func encryptedKeysAreRefused() throws {
    let pem = try openssl("pkcs8", "-topk8", "-passout", "pass:secret", input: device.key.pem())
    #expect(pem.contains("ENCRYPTED"))
    let error = #expect(throws: TLSError.self) { try PrivateKey(pem: pem) }
    #expect(error?.reason == .storageFailed)
  }

  /// Returns what the `openssl` command writes to its standard output.
  private func openssl(_ arguments: String..., input: String = "") throws -> String {
    let (stdin, stdout) = (try ChildProcess.pipe(), try ChildProcess.pipe())
    let process = try ChildProcess(
      ["/usr/bin/openssl"] + arguments,
      standardInput: stdin.reading,
      standardOutput: stdout.writing
    )
    close(stdin.reading)
    close(stdout.writing)
    // The input is less than a pipe takes in one go.
    ChildProcess.write(Array(input.utf8), to: stdin.writing)
    close(stdin.writing)
    let output = ChildProcess.readToEnd(stdout.reading)
    let status = process.waitUntilExit()
    try #require(status == 0, "openssl \(arguments.joined(separator: " "))")
    return String(decoding: output, as: UTF8.self)
  }
}
