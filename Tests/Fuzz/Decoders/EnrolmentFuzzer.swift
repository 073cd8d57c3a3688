// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

@testable import TLS
@testable import Teams

/// What a joining machine sends and receives, and what users carry for it: requests, approvals and backups.
enum EnrolmentFuzzer: Fuzzer {
  private static let joined = Joined(
    certificate: FuzzTeam.text("device.pem"),
    authority: FuzzTeam.text("ca.pem"),
    discoveryKey: [UInt8](repeating: 7, count: Sealer.keyLength),
    team: "Home",
    revocations: FuzzTeam.lists.last?.list.der,
    device: Names.device(1)
  )

  private static let backupKey = Result {
    try PassphraseKey(passphrase: "passphrase", salt: [UInt8](repeating: 5, count: Scrypt.saltLength))
  }

  static var seeds: [[UInt8]] {
    get throws {
      let request = try CertificateRequest.make(for: FuzzTeam.credentials.key).pem()
      let join = Join(request: request, device: "Küche", nonce: [UInt8](repeating: 1, count: Join.nonceLength))
      let random = [UInt8](repeating: 1, count: Credentials.joinRandomLength)
      let nonce = FuzzTeam.credentials.joinNonce(for: FuzzTeam.credentials.device, random: random)
      return [
        [0] + join.json.bytes, [0] + Join(request: request, device: "Küche", nonce: nonce).json.bytes,
        [1] + joined.json.bytes, [2] + Array(Approval(joined).text.utf8),
        [3] + Array(request.utf8),
        [4] + Array(try BackupFile(sealing: [1, 2, 3], with: backupKey.get()).text.utf8),
      ]
    }
  }

  static let words = [
    "request", "device", "nonce", "certificate", "authority", "discoveryKey", "team", "revocations", "version",
    "baton team backup 1\n", "baton team backup 2\n", "scrypt ", "-----BEGIN CERTIFICATE REQUEST-----\n", "\r\n",
  ]

  static func run(_ input: [UInt8]) throws {
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    let text = String(decoding: bytes, as: UTF8.self)
    let json = try? JSON(parsing: bytes, depth: Limits.messageDepth)
    switch kind % 5 {
    case 0:
      guard let join = json.flatMap(Join.init(json:)) else { return }
      same(Join(json: join.json), join)
      let team = FuzzTeam.credentials
      guard let nonce = join.nonce, let requested = try? CertificateRequest(pem: join.request).deviceID,
        let member = team.member(ofJoinNonce: nonce, for: requested, among: [Names.device(1), team.device])
      else { return }
      same(member.device, team.device)
      same(team.joinNonce(for: requested, random: Array(nonce.prefix(Credentials.joinRandomLength))), nonce)
    case 1: if let joined = json.flatMap(Joined.init(json:)) { same(Joined(json: joined.json), joined) }
    case 2:
      do throws(Reason) {
        let approval = try Approval(text: text)
        same(try Approval(text: approval.text).joined.certificate, approval.joined.certificate)
      } catch {
        hold(error == .approvalInvalid || error == .versionMismatch, "\(error)")
      }
    case 3: _ = try? CertificateRequest(pem: text).deviceID
    default:
      do throws(Reason) {
        let file = try BackupFile(text: text)
        same(try BackupFile(text: file.text).text, file.text)
        if let key = try? backupKey.get(), file.salt == key.salt, let content = file.open(with: key) {
          same(content, [1, 2, 3])
        }
      } catch {
        hold(error == .backupInvalid || error == .versionMismatch, "\(error)")
      }
    }
  }
}
