// SPDX-License-Identifier: Apache-2.0

import Localization

/// Ports as people read them.
package enum PortList {
  /// `5173`, or `5173, 8000 and 24678`.
  package static func text(_ ports: [UInt16]) -> String {
    guard let last = ports.last, ports.count > 1 else { return ports.first.map { String($0) } ?? "" }
    let others = ports.dropLast().map { String($0) }.joined(separator: ", ")
    return localized("\(others) and \(String(last))")
  }

  /// `Port 5173`, or `Ports 5173 and 24678`.
  package static func title(_ ports: [UInt16]) -> String {
    localized(ports.count, one: "Port \(text(ports))", other: "Ports \(text(ports))")
  }

  /// The command that answers a question about ports.
  ///
  /// - Parameter option: `allow` or `refuse`.
  package static func command(_ option: String, _ ports: [UInt16]) -> String {
    (["baton ports"] + ports.map { "--\(option) \($0)" }).joined(separator: " ")
  }
}
