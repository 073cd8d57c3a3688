// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// A Varlink call (UAPI.20, "Method Call").
package struct Call: Equatable, Sendable {
  /// How the caller wants to be answered.
  package enum Mode: Equatable, Sendable {
    /// One reply.
    case single
    /// No reply at all, not even an error.
    case oneway
    /// Any number of replies.
    case more
    /// One reply, after which the connection no longer speaks Varlink.
    case upgrade
  }

  package let method: String
  package let parameters: [String: JSON]
  package let mode: Mode

  package init(method: String, parameters: [String: JSON] = [:], mode: Mode = .single) {
    self.method = method
    self.parameters = parameters
    self.mode = mode
  }

  /// The message without its NUL.
  package var bytes: [UInt8] {
    var members: [String: JSON] = ["method": .string(method)]
    if !parameters.isEmpty { members["parameters"] = .object(parameters) }
    switch mode {
    case .single: break
    case .oneway: members["oneway"] = true
    case .more: members["more"] = true
    case .upgrade: members["upgrade"] = true
    }
    return JSON.object(members).bytes
  }
}
