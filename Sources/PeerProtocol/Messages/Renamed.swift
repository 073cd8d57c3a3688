import Activity
import JSON

/// The sender's device has another name than its hello said. Daemons that do not know the message ignore it.
package struct Renamed: MessageBody {
  package static let type: UInt8 = 72

  /// For people; at most `Limits.deviceNameLength` bytes.
  package var device: String

  package init(device: String) { self.device = device }

  package init(_ members: inout Members) throws(InvalidParameter) {
    device = try members.required("device") { json in
      json.string.flatMap { $0.utf8.count <= Limits.deviceNameLength ? $0 : nil }
    }
  }

  package var members: [String: JSON] { ["device": .string(device)] }
}
