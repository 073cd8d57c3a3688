// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

@testable import TLS
@testable import Teams

/// Files of the state directory; the first byte selects which. A damaged file is refused, and never read as more than
/// it says.
enum StateFileFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let file = RevocationFile(
      lists: FuzzTeam.lists.reduce(into: RevocationLists()) { $0.insert($1) },
      previousKeys: [[UInt8](repeating: 1, count: Sealer.keyLength)]
    )
    let invitation = Invitation(
      key: [UInt8](repeating: 1, count: Sealer.keyLength),
      expires: 1_800_000_000,
      uptime: 7,
      boot: "boot",
      origin: "origin"
    )
    let device = AdmittedDevice(device: Names.device(1), name: "laptop", serial: [1, 2], admitted: 1_700_000_000)
    return [
      [0] + (file?.bytes ?? []), [0] + FuzzTeam.bytes("revocations.json"), [1] + invitation.bytes,
      [2] + FuzzTeam.bytes("team.json"), [3] + JSON.array([device.json]).bytes, [3] + FuzzTeam.bytes("devices.json"),
      [4] + backup(device).bytes,
    ]
  }

  private static func backup(_ device: AdmittedDevice) -> TeamBackup {
    TeamBackup(
      made: 1_800_000_000,
      machine: "laptop",
      addresses: ["nas:22866"],
      description: TeamDescription(name: "Home", owners: [1000], created: 1_700_000_000),
      certificate: FuzzTeam.text("device.pem"),
      key: FuzzTeam.text("device.key"),
      authority: FuzzTeam.text("ca.pem"),
      authorityKey: nil,
      discoveryKey: [UInt8](repeating: 7, count: Sealer.keyLength),
      revocations: FuzzTeam.bytes("revocations.json"),
      devices: [device]
    )
  }

  static let words = [
    "previousKeys", "others", "list", "discoveryKey", "key", "expires", "uptime", "boot", "origin", "name", "owners",
    "created",
    "device", "serial", "admitted", "made", "machine", "addresses", "certificate", "authority", "authorityKey",
    "revocations",
    "devices",
  ]

  static func run(_ input: [UInt8]) throws {
    guard let kind = input.first else { return }
    let bytes = Array(input.dropFirst())
    let json = try? JSON(parsing: bytes, depth: 4)
    switch kind % 5 {
    case 0:
      let authority = FuzzTeam.authority.certificate
      guard let file = RevocationFile(bytes: bytes, authority: authority) else { return }
      hold(file.lists.all.count <= 1 + Limits.otherRevocationLists, "\(file.lists.all.count) lists")
      let again = RevocationFile(bytes: file.bytes, authority: authority)
      same(again?.lists, file.lists)
      same(again?.previousKeys, file.previousKeys)
    case 1:
      guard let invitation = Invitation(bytes: bytes) else { return }
      same(Invitation(bytes: invitation.bytes)?.bytes, invitation.bytes)
      same(invitation.key.count, Sealer.keyLength)
      for now in [0, 1_800_000_000, 253_402_300_799] as [Int64] {
        _ = invitation.isOpen(now: now, uptime: now, boot: "boot", origin: "origin")
      }
    case 2:
      guard let description = json.flatMap(TeamDescription.init(json:)) else { return }
      same(TeamDescription(json: description.json)?.json, description.json)
    case 3:
      let devices = (json?.array ?? []).compactMap(AdmittedDevice.init(json:))
      for device in devices { same(AdmittedDevice(json: device.json), device) }
      if let name = devices.first?.name {
        hold(!AdmittedDevice.search(name, in: devices).isEmpty, "\(name) is not found")
      }
    default:
      guard let backup = TeamBackup(bytes: bytes) else { return }
      same(TeamBackup(bytes: backup.bytes), backup)
      _ = backup.isLoadable
      let lengths = backup.shortenings.map(\.bytes.count)
      same(lengths, lengths.sorted(by: >), "A shorter one is longer")
    }
  }
}
