import Activity

/// What `ssh -G` prints: the configuration that ssh would use for a host.
package enum SSHConfiguration {
  /// Returns the host that ssh connects to. Nil if it is not named.
  ///
  /// - Parameter printed: Lines with a keyword and its value, from the user's ssh.
  package static func host(printed: [UInt8]) -> String? {
    for line in printed.split(separator: 0x0A) {
      guard let text = String(validating: line, as: UTF8.self), let host = text.rest(afterBytesOf: "hostname ") else {
        continue
      }
      return host.isEmpty ? nil : String(host)
    }
    return nil
  }
}
