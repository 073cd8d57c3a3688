// SPDX-License-Identifier: Apache-2.0

import Activity

/// What a device tells its team through a server, before sealing (Protocol.md section 11). All messages have the same
/// length, so that the server learns no more than that there was one.
package struct RendezvousMessage: Equatable, Sendable {
  /// The maximum number of addresses that a device tells its team through a server: those of some interfaces, in both
  /// IP versions.
  static let rendezvousAddresses = 8

  package enum Kind: UInt8, Sendable {
    /// What the device offers, and where it listens.
    case advert = 0
    /// The device is about to leave the server.
    case leaving = 1
    /// The receiver should dial the sender, because the sender may not reach it.
    case dial = 2
    /// The receiver should come to a relay, where the sender waits.
    case relay = 3
  }

  /// Where a device waits for another.
  package struct Meeting: Hashable, Sendable {
    /// The place of the relay in the team's list, by the hash of its address: 8 bytes.
    package let relay: [UInt8]
    /// The ID of the device at the relay, made for this meeting: 32 bytes.
    package let id: [UInt8]

    package static let relayLength = 8
    package static let idLength = 32

    package init(relay: [UInt8], id: [UInt8]) { (self.relay, self.id) = (relay, id) }
  }

  package var kind: Kind
  /// Whether those who hear it should say what they offer, because the sender has just arrived.
  package var asks: Bool
  /// Increases with each message of a daemon, whose start ``Advert/epoch`` is.
  package var sequence: UInt64
  package var advert: Advert
  /// Where the sender listens, on the addresses.
  package var port: UInt16
  /// 4 or 16 bytes each; at most `rendezvousAddresses`.
  package var addresses: [[UInt8]]
  package var meeting: Meeting?

  package init(
    kind: Kind,
    asks: Bool = false,
    sequence: UInt64,
    advert: Advert,
    port: UInt16,
    addresses: [[UInt8]],
    meeting: Meeting? = nil
  ) {
    (self.kind, self.asks, self.sequence, self.advert, self.port) = (kind, asks, sequence, advert, port)
    (self.addresses, self.meeting) = (Array(addresses.prefix(Self.rendezvousAddresses)), meeting)
  }

  // MARK: Plaintext

  package static let plaintextLength = 612
  /// With the nonce and the tag.
  package static let sealedLength = 12 + plaintextLength + 16
  private static let layout: UInt8 = 1
  private static let asksFlag: UInt8 = 1
  private static let meetingFlag: UInt8 = 2

  /// The plaintext: ``plaintextLength`` bytes.
  package var plaintext: [UInt8] {
    var bytes = [Self.layout, kind.rawValue]
    bytes.append((asks ? Self.asksFlag : 0) | (meeting == nil ? 0 : Self.meetingFlag))
    // Checked: eight bytes of eight bits, and two.
    bytes += (0..<8).map { UInt8(truncatingIfNeeded: sequence >> (56 - 8 * $0)) }
    bytes += advert.plaintext
    bytes += [UInt8(truncatingIfNeeded: port >> 8), UInt8(truncatingIfNeeded: port)]
    // Checked: there are few addresses, of at most 16 bytes.
    bytes.append(UInt8(truncatingIfNeeded: addresses.count))
    for address in addresses { bytes += [UInt8(truncatingIfNeeded: address.count)] + address }
    if let meeting { bytes += meeting.relay + meeting.id }
    return bytes + Array(repeating: 0, count: Self.plaintextLength - bytes.count)
  }

  /// Decodes a plaintext. The result is nil if the bytes do not have this layout.
  package init?(plaintext: [UInt8]) {
    var rest = plaintext[...]
    guard plaintext.count == Self.plaintextLength, rest.takeFirst(1)?.first == Self.layout,
      let kind = rest.takeFirst(1)?.first.flatMap(Kind.init), let flags = rest.takeFirst(1)?.first,
      let sequence = rest.takeFirst(8)?.reduce(0, { $0 << 8 | UInt64($1) }),
      let advert = rest.takeFirst(Advert.plaintextLength).flatMap({ Advert(plaintext: Array($0)) }),
      let port = rest.takeFirst(2)?.reduce(0, { $0 << 8 | UInt16($1) }),
      let count = rest.takeFirst(1)?.first, count <= Self.rendezvousAddresses
    else { return nil }
    (self.kind, self.sequence, self.advert, self.port) = (kind, sequence, advert, port)
    asks = flags & Self.asksFlag != 0
    addresses = []
    for _ in 0..<count {
      guard let length = rest.takeFirst(1)?.first, length == 4 || length == 16,
        let address = rest.takeFirst(Int(length))
      else { return nil }
      addresses.append(Array(address))
    }
    guard flags & Self.meetingFlag != 0 else { return }
    guard let relay = rest.takeFirst(Meeting.relayLength), let id = rest.takeFirst(Meeting.idLength) else { return nil }
    meeting = Meeting(relay: Array(relay), id: Array(id))
  }
}
