import Activity
import JSONCoding

/// The first message of each side: who the sender is, and which versions it speaks.
package struct Hello: MessageBody {
  package static let type: UInt8 = 1

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
  package var revocationDigest: [UInt8]?
  /// The port where the sender listens; nil if it does not say.
  package var port: UInt16?
  /// The epoch of the daemon that numbered the sender's streams. It differs from ``epoch`` if streams have outlived a
  /// restart.
  package var streamEpoch: UInt64

  /// What the sender's clock shows, in seconds since 1970; nil if it does not say.
  package var time: UInt64?

  private static let digestLength = 32

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
    time: UInt64? = nil
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.device = device
    self.epoch = epoch
    self.revocations = revocations
    self.revocationDigest = revocationDigest
    self.streamEpoch = streamEpoch ?? epoch
    self.port = port
    self.time = time
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    minimum = try members.required("minimum", \.uint64)
    maximum = try members.required("maximum", \.uint64)
    device = try members.required("device", \.string)
    epoch = try members.required("epoch", \.uint64)
    revocations = try members.required("revocations", \.uint64)
    revocationDigest = try members.optional("revocationDigest") { json in
      json.string.flatMap(Base64.decode).flatMap { $0.count == Self.digestLength ? $0 : nil }
    }
    streamEpoch = try members.optional("streamEpoch", \.uint64) ?? epoch
    port = try members.optional("port") { $0.uint64.flatMap(UInt16.init(exactly:)) }
    time = try members.optional("time", \.uint64)
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = [
      "minimum": JSON(minimum), "maximum": JSON(maximum), "device": .string(device), "epoch": JSON(epoch),
      "revocations": JSON(revocations),
    ]
    if streamEpoch != epoch { members["streamEpoch"] = JSON(streamEpoch) }
    members["revocationDigest"] = revocationDigest.map { .string(Base64.encode($0)) }
    members["port"] = port.map { JSON(UInt64($0)) }
    members["time"] = time.map { JSON($0) }
    return members
  }
}
