import Activity
import JSON

/// The newest list of removed devices, for a peer whose list is older.
package struct Revocations: MessageBody {
  package static let type: UInt8 = 22

  /// An X.509 revocation list in DER, at most `Limits.revocationListLength` bytes.
  package var list: [UInt8]

  package init(list: [UInt8]) { self.list = list }

  package init(_ members: inout Members) throws(InvalidParameter) {
    list = try members.required("list") { json in
      json.string.flatMap(Base64.decode).flatMap {
        (1...Limits.revocationListLength).contains($0.count) ? $0 : nil
      }
    }
  }

  package var members: [String: JSON] { ["list": .string(Base64.encode(list))] }
}
