// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// A failed call to Avahi: its name, and Avahi's error number.
struct AvahiError: Error, Equatable, CustomStringConvertible {
  let call: String
  let code: Int32

  /// Throws if the result of a call is an error.
  static func check(_ call: String, _ result: Int32) throws(AvahiError) {
    guard result >= 0 else { throw AvahiError(call: call, code: result) }
  }

  /// Whether Avahi's configuration forbids it.
  var isForbidden: Bool { code == Int32(AVAHI_ERR_NOT_PERMITTED) }

  var isCollision: Bool { code == Int32(AVAHI_ERR_COLLISION) }

  var description: String { "\(call): \(avahi_strerror(code).map { String(cString: $0) } ?? String(code))" }
}
