// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A Varlink reply (UAPI.20, "Method Reply").
package struct Reply: Equatable, Sendable {
  package let parameters: [String: JSON]
  /// The error's name with its interface. Nil for success.
  package let error: String?
  /// Whether more replies to the same call follow.
  package let continues: Bool

  package init(_ parameters: [String: JSON], continues: Bool = false) {
    self.parameters = parameters
    self.error = nil
    self.continues = continues
  }

  package init(error: String, _ parameters: [String: JSON] = [:]) {
    self.parameters = parameters
    self.error = error
    self.continues = false
  }

  /// The message without its NUL. Clients accept only these three members, and require `parameters`.
  package var bytes: [UInt8] {
    var members: [String: JSON] = ["parameters": .object(parameters)]
    members["error"] = error.map(JSON.string)
    if continues { members["continues"] = true }
    return JSON.object(members).bytes
  }
}
