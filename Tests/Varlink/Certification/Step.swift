// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Varlink

/// One method of org.varlink.certification. The client must call it after the previous one, with the values that the
/// previous one returned.
protocol Step: Method where Parameters == Arguments, Reply == Arguments {
  static var mode: Call.Mode { get }
  /// The expected parameters, without `client_id`.
  static var wants: [String: JSON] { get }
  /// The replies: one or, with `more`, several.
  static var gives: [[String: JSON]] { get }
}

extension Step {
  static var name: String { "org.varlink.certification.\(Self.self)" }
  static var mode: Call.Mode { .single }
}
