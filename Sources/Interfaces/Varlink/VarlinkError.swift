// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The errors of org.varlink.service. Any method may end with one of them.
package enum VarlinkError: Error, Equatable, Sendable {
  case interfaceNotFound(String)
  /// The name includes the interface: `org.example.a.Foo`.
  case methodNotFound(String)
  case methodNotImplemented(String)
  case invalidParameter(String)
  case permissionDenied
  /// The method can only be called with `more`.
  case expectedMore
  /// The method can only be called with `upgrade`.
  case expectedUpgrade

  package var reply: Reply {
    switch self {
    case .interfaceNotFound(let name): Self.reply("InterfaceNotFound", ["interface": .string(name)])
    case .methodNotFound(let name): Self.reply("MethodNotFound", ["method": .string(name)])
    case .methodNotImplemented(let name): Self.reply("MethodNotImplemented", ["method": .string(name)])
    case .invalidParameter(let name): Self.reply("InvalidParameter", ["parameter": .string(name)])
    case .permissionDenied: Self.reply("PermissionDenied", [:])
    case .expectedMore: Self.reply("ExpectedMore", [:])
    case .expectedUpgrade: Self.reply("ExpectedUpgrade", [:])
    }
  }

  /// Creates an error from a reply. Nil if the reply is not an error of org.varlink.service.
  package init?(_ reply: Reply) {
    guard let error = reply.error, error.utf8.starts(with: Self.prefix.utf8) else { return nil }
    func text(_ name: String) -> String { reply.parameters[name]?.string ?? "" }
    switch Substring(error.utf8.dropFirst(Self.prefix.utf8.count)) {
    case "InterfaceNotFound": self = .interfaceNotFound(text("interface"))
    case "MethodNotFound": self = .methodNotFound(text("method"))
    case "MethodNotImplemented": self = .methodNotImplemented(text("method"))
    case "InvalidParameter": self = .invalidParameter(text("parameter"))
    case "PermissionDenied": self = .permissionDenied
    case "ExpectedMore": self = .expectedMore
    case "ExpectedUpgrade": self = .expectedUpgrade
    default: return nil
    }
  }

  private static let prefix = "org.varlink.service."

  private static func reply(_ name: String, _ parameters: [String: JSON]) -> Reply {
    Reply(error: prefix + name, parameters)
  }
}
