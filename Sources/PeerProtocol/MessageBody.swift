import Activity
import JSONCoding

/// One kind of message: a JSON object in a frame of its own type.
package protocol MessageBody: Structure {
  static var type: UInt8 { get }
}

extension MessageBody {
  /// The whole frame.
  package var frame: [UInt8] {
    let payload = json.bytes
    let word = FrameHeader(payloadLength: payload.count, type: Self.type).word
    // Checked: four bytes of eight bits.
    return (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } + payload
  }

  /// - Throws: `Reason.protocolViolation` if the payload is not the expected JSON object.
  package init(payload: ArraySlice<UInt8>) throws(Reason) {
    guard let json = try? JSON(parsing: payload, depth: Limits.messageDepth), let body = Self(json: json) else {
      throw .protocolViolation
    }
    self = body
  }
}

extension JSON {
  /// A non-negative number of 32 bits.
  var uint32: UInt32? { uint64.flatMap(UInt32.init(exactly:)) }

  var activityID: ActivityID? { string.flatMap(ActivityID.init(text:)) }

  /// A certificate or key in PEM.
  var pem: String? { string.flatMap { (1...Limits.certificateLength).contains($0.utf8.count) ? $0 : nil } }

  /// A reason from its name. A name that this version does not know becomes an internal failure of the other side.
  var reason: Reason? { string.map { Reason(rawValue: $0) ?? .internalFailure } }

  init(_ id: ActivityID) { self = .string(id.description) }

  init(_ reason: Reason) { self = .string(reason.rawValue) }
}
