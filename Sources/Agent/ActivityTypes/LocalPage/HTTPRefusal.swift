// SPDX-License-Identifier: Apache-2.0

import Localization

/// Why a request is not passed on to the server.
package enum HTTPRefusal: Error, Equatable, CaseIterable, Sendable {
  /// It is no request in HTTP, or one that programs could read in different ways.
  case malformed
  /// Its head is too long.
  case tooLarge
  /// It is not HTTP/1.1 or HTTP/1.0.
  case version
  /// It is for another host.
  case otherHost
  /// Its head did not come in time.
  case late

  package var answer: LocalPageAnswer {
    switch self {
    case .malformed: LocalPageAnswer(400, "Bad Request", localized("This isn't a valid HTTP request."))
    case .tooLarge:
      LocalPageAnswer(431, "Request Header Fields Too Large", localized("The header of the request is too long."))
    case .version:
      LocalPageAnswer(505, "HTTP Version Not Supported", localized("Baton only forwards HTTP/1.1 and HTTP/1.0."))
    case .otherHost:
      LocalPageAnswer(
        421,
        "Misdirected Request",
        localized("The request is for a different host, so Baton refused it.")
      )
    case .late: LocalPageAnswer(408, "Request Timeout", localized("The request didn't arrive in time."))
    }
  }
}
