// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct RelayAddressTests {
  private static let letters = "GARIEAF-ORC7EQI-HNLZHGC-BFW3L7I-TIGGYWE-DSWIQUA-OTDH33Y-CNMISQK"
  /// `openssl x509 -fingerprint -sha256` of the certificate with that ID.
  private static let id: [UInt8] = [
    0x30, 0x22, 0x82, 0x00, 0xAE, 0x88, 0xBE, 0x48, 0x1D, 0xAB, 0xC9, 0xCC, 0x20, 0x96, 0xDB, 0x5F, 0xE6, 0x83, 0x1B,
    0x16, 0x20, 0xE5, 0x64, 0x42, 0x8E, 0x98, 0xCF, 0xBD, 0xE0, 0x4D, 0x62, 0x25,
  ]

  @Test(
    arguments: [
      ("relay.example.org", "relay.example.org", 22067, "relay.example.org:22067"),
      ("Relay.Example.org:443", "relay.example.org", 443, "relay.example.org:443"),
      ("192.0.2.1:65535", "192.0.2.1", 65535, "192.0.2.1:65535"),
      ("[2001:DB8::1]:22067", "2001:db8::1", 22067, "[2001:db8::1]:22067"),
      ("[::1]", "::1", 22067, "[::1]:22067"),
      ("relay://nas", "nas", 22067, "nas:22067"),
      ("RELAY://nas:1/", "nas", 1, "nas:1"),
      ("relay://nas:1/?pingInterval=1m0s&id2=x", "nas", 1, "nas:1"),
    ] as [(String, String, UInt16, String)]
  )
  func whatPeopleTypeIsUnderstood(_ text: String, _ host: String, _ port: UInt16, _ canonical: String) throws {
    let address = try RelayAddress(text)
    #expect(address.host == host && address.port == port && address.id == nil)
    #expect(address.text == canonical)
    #expect(try RelayAddress(address.text) == address)
  }

  @Test(arguments: [
    "relay://relay.example.org:443/?id=\(letters)&pingInterval=1m0s&networkTimeout=2m0s&providedBy=A+b",
    "relay://relay.example.org:443?token=x&id=\(letters.lowercased())",
    "relay://relay.example.org:443/?id=\(letters.filter { $0 != "-" })&id=\(letters)",
  ])
  func whatARelayPrintsIsUnderstood(_ text: String) throws {
    let address = try RelayAddress(text)
    #expect(address.host == "relay.example.org" && address.port == 443 && address.id == Self.id)
    #expect(address.text == "relay://relay.example.org:443/?id=\(Self.letters)")
    #expect(try RelayAddress(address.text) == address)
  }

  @Test(
    arguments: [
      ("", .hostMissing), (":22067", .hostMissing), ("relay://:22067/?id=\(letters)", .hostMissing),
      ("relay://0.0.0.0:22067/?id=\(letters)", .hostMissing), ("[::]:22067", .hostMissing), ("[]", .hostMissing),
      ("2001:db8::1", .hostInvalid), ("[2001:db8::1", .hostInvalid), ("[nas]:1", .hostInvalid), ("a b", .hostInvalid),
      ("user@nas", .hostInvalid), (".example.org", .hostInvalid), ("-nas", .hostInvalid), ("n\u{E4}s", .hostInvalid),
      ("nas\0:1", .hostInvalid), (String(repeating: "a", count: 254), .hostInvalid), ("nas/x", .hostInvalid),
      ("nas:", .portInvalid), ("nas:0", .portInvalid), ("nas:65536", .portInvalid), ("nas:+1", .portInvalid),
      ("[::1]1", .portInvalid), ("relay://nas:x/", .portInvalid),
      ("https://nas", .otherScheme), ("dynamic+https://relays.syncthing.net/endpoint", .otherScheme),
      ("relay://nas/x", .pathInvalid), ("relay://nas//?id=\(letters)", .pathInvalid),
      ("relay://nas/?id=", .idInvalid), ("relay://nas/?id=\(letters.dropLast())", .idInvalid),
      ("relay://nas/?id=\(letters)#x", .idInvalid),
      ("relay://nas/?id=\(letters)&id=\(RelayID.text(.init(repeating: 1, count: 32)))", .idInvalid),
      (String(repeating: "a", count: 1025), .tooLong),
    ] as [(String, RelayAddress.Invalid)]
  )
  func anythingElseIsRefusedByName(_ text: String, _ reason: RelayAddress.Invalid) {
    let error = #expect(throws: RelayAddress.Invalid.self) { try RelayAddress(text) }
    #expect(error == reason, "\(text)")
  }

  /// One changed letter of an ID is always noticed.
  @Test func aChangedLetterIsNoticed() {
    for index in Self.letters.indices where Self.letters[index] != "-" {
      for other in "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567" where other != Self.letters[index] {
        var text = Self.letters
        text.replaceSubrange(index...index, with: [other])
        #expect(RelayID.parse(text) == nil, "\(text)")
      }
    }
    #expect(RelayID.parse(Self.letters) == Self.id)
  }

  @Test func anIDIsReadAsItWasWritten() {
    for byte: UInt8 in [0, 1, 127, 255] {
      let id = [UInt8](repeating: byte, count: 32)
      #expect(RelayID.parse(RelayID.text(id)) == id)
    }
  }
}
