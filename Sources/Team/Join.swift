import JSON

/// What a joining device sends: Protocol.md section 8.
package struct Join: Equatable, Sendable {
  package static let frameType: UInt8 = 32

  /// PKCS #10 in PEM.
  package let request: String
  /// The device's name.
  package let device: String

  package init(request: String, device: String) {
    self.request = request
    self.device = device
  }

  /// Nil where a member is missing or of a wrong type.
  package init?(json: JSON) {
    guard let object = json.object, let request = object["request"]?.string, let device = object["device"]?.string
    else { return nil }
    self.init(request: request, device: device)
  }

  package var json: JSON { ["request": .string(request), "device": .string(device)] }
}
