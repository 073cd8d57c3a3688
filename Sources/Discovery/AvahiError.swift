import CAvahi

/// A call to Avahi that failed: its name, and Avahi's number for why.
struct AvahiError: Error, Equatable, CustomStringConvertible {
  let call: String
  let code: Int32

  /// Throws what a call returned, where it is an error.
  static func check(_ call: String, _ result: Int32) throws(AvahiError) {
    guard result >= 0 else { throw AvahiError(call: call, code: result) }
  }

  var isCollision: Bool { code == Int32(AVAHI_ERR_COLLISION) }

  var description: String { "\(call): \(avahi_strerror(code).map { String(cString: $0) } ?? String(code))" }
}
