// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Why no connection to an address is established.
enum DialObstacle: CustomStringConvertible {
  case noRoute
  case refused
  /// Nobody has answered in time.
  case silence
  case other(Int32)

  /// - Parameter error: Of connect(2).
  init(_ error: Int32) {
    self =
      switch error {
      case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EADDRNOTAVAIL: .noRoute
      case ECONNREFUSED: .refused
      case ETIMEDOUT: .silence
      default: .other(error)
      }
  }

  var description: String {
    switch self {
    case .noRoute: "no route"
    case .refused: "refused: batond isn't listening there"
    case .silence: "no answer: a firewall, or a network with client isolation"
    case .other(let error): String(cString: strerror(error))
    }
  }
}
