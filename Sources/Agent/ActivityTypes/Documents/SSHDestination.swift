// SPDX-License-Identifier: Apache-2.0

import Activity

/// Where ssh connects to when it is given the name of a host.
package struct SSHDestination: Equatable, Sendable {
  package let host: String
  /// Nil if it is not known.
  package let port: Int?

  package init(host: String, port: Int? = nil) { (self.host, self.port) = (host, port) }

  /// - Parameter printed: What `ssh -G` prints: lines with a keyword and its value, from the user's ssh. Nil if it
  ///   does not name the host.
  package init?(printed: [UInt8]) {
    var values: [String: String] = [:]
    for line in printed.split(separator: 0x0A) {
      guard let text = String(validating: line, as: UTF8.self) else { continue }
      for keyword in ["hostname", "port"] where values[keyword] == nil {
        values[keyword] = text.rest(afterBytesOf: "\(keyword) ").map(String.init)
      }
    }
    guard let host = values["hostname"], !host.isEmpty else { return nil }
    self.init(host: host, port: values["port"].flatMap { Int($0) })
  }
}
