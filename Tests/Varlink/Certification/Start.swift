// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Varlink

/// Starts a certification, and returns the client's ID for the calls that follow.
enum Start: Method {
  static let name = "org.varlink.certification.Start"
  typealias Parameters = Nothing
  typealias Reply = Arguments
}
