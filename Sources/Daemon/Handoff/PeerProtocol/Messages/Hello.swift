// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The first message of each side: who the sender is, and which versions it speaks.
package struct Hello: MessageBody {
  package static var type: UInt8 { SessionMessage.Number.hello.rawValue }

  /// The lowest and the greatest protocol version that the sender speaks.
  package var minimum: UInt64
  package var maximum: UInt64
  /// The name of the device, for people to read; at most `Limits.deviceNameLength` bytes.
  package var device: String
  /// When the daemon started, in milliseconds since 1970.
  package var epoch: UInt64
  /// The number of the newest revocation list that the sender holds; 0 for none.
  package var revocations: UInt64
  /// A digest of the revocation lists that the sender holds: 32 bytes (Protocol.md section 5). Nil if it holds none, or
  /// holds one and sends no digest.
  @Coded<Digest?> package var revocationDigest: [UInt8]?
  /// The port where the sender listens; nil if it does not say.
  package var port: UInt16?
  /// The epoch of the daemon that numbered the sender's streams. It differs from ``epoch`` if streams have outlived a
  /// restart.
  package var streamEpoch: UInt64 { otherStreamEpoch ?? epoch }
  /// Nil if it is ``epoch``.
  private var otherStreamEpoch: UInt64?

  /// What the sender's clock shows, in seconds since 1970; nil if it does not say.
  package var time: UInt64?
  /// The addresses at which the sender listens, on all interfaces that it uses, as numbers without a port. Nil if it
  /// does not say.
  @Coded<AddressList?> package var addresses: [String]?

  package enum Digest: BoundedBytes {
    package static let lengths = 32...32
  }

  private enum CodingKeys: String, CodingKey {
    case minimum, maximum, device, epoch, revocations, revocationDigest, port, time, addresses
    case otherStreamEpoch = "streamEpoch"
  }

  /// - Parameter streamEpoch: Nil means `epoch`.
  package init(
    minimum: UInt64,
    maximum: UInt64,
    device: String,
    epoch: UInt64,
    revocations: UInt64,
    revocationDigest: [UInt8]? = nil,
    streamEpoch: UInt64? = nil,
    port: UInt16? = nil,
    time: UInt64? = nil,
    addresses: [String]? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.device = device
    self.epoch = epoch
    self.revocations = revocations
    self.revocationDigest = revocationDigest
    otherStreamEpoch = streamEpoch == epoch ? nil : streamEpoch
    self.port = port
    self.time = time
    self.addresses = addresses
  }
}
