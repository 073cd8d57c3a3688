// SPDX-License-Identifier: Apache-2.0

/// One instance of the service that this daemon announces.
package struct ServiceInstance: Equatable, Sendable {
  /// The DNS-SD instance name: one label of at most 63 bytes. It is unique by construction, so it is not probed.
  package var instance: String
  /// The label of the target host, without `.local`. It is unique by construction, and is not the machine's name.
  package var host: String
  /// TCP port.
  package var port: UInt16
  /// The strings of the TXT record, at most 255 bytes each. They can contain any bytes.
  package var text: [[UInt8]]

  package init(instance: String, host: String, port: UInt16, text: [[UInt8]]) {
    self.instance = instance
    self.host = host
    self.port = port
    self.text = text
  }
}
