import Activity
import JSONCoding

/// Says that the sender's device has another name than in its hello. Daemons that do not know the message ignore it.
package struct Renamed: MessageBody {
  package static let type: UInt8 = 72

  /// The new name, for people to read; at most `Limits.deviceNameLength` bytes.
  package var device: String

  package init(device: String) { self.device = device }

  package init(_ members: inout Members) throws(InvalidParameter) {
    device = try members.required("device") { json in
      json.string.flatMap { $0.utf8.count <= Limits.deviceNameLength ? $0 : nil }
    }
  }

  package var members: [String: JSON] { ["device": .string(device)] }
}
