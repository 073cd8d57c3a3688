import Activity
import JSONCoding

/// A list of removed devices, for a peer that may not have it, and the discovery key that those devices do not know.
/// The key is secret, so the message is sent only in a session, whose peer is not one of those devices.
package struct Revocations: MessageBody {
  package static let type: UInt8 = 22

  /// An X.509 revocation list in DER, at most `Limits.revocationListLength` bytes.
  package var list: [UInt8]

  /// 32 bytes. The list contains its hash.
  package var discoveryKey: [UInt8]

  private static let keyLength = 32

  package init(list: [UInt8], discoveryKey: [UInt8]) {
    self.list = list
    self.discoveryKey = discoveryKey
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    list = try members.required("list") { json in
      json.string.flatMap(Base64.decode).flatMap {
        (1...Limits.revocationListLength).contains($0.count) ? $0 : nil
      }
    }
    discoveryKey = try members.required("discoveryKey") { json in
      json.string.flatMap(Base64.decode).flatMap { $0.count == Self.keyLength ? $0 : nil }
    }
  }

  package var members: [String: JSON] {
    ["list": .string(Base64.encode(list)), "discoveryKey": .string(Base64.encode(discoveryKey))]
  }
}
