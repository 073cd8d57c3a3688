// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A secret that the service manager passes to the service (systemd.exec(5), "Credentials").
package enum ServiceCredential {
  /// The permitted lengths in bytes. A shorter key can be guessed, and a longer one is no key.
  package static let length = 16...4096

  /// - Parameter name: The credential's ID.
  /// - Returns: Nil if the service was not given a credential with this name.
  /// - Throws: `ServiceCredentialError` if it cannot be read, or is too short or too long.
  package static func key(_ name: String) throws(ServiceCredentialError) -> [UInt8]? {
    guard let directory = getenv("CREDENTIALS_DIRECTORY") else { return nil }
    let file = open("\(String(cString: directory))/\(name)", O_RDONLY | O_CLOEXEC)
    if file < 0, errno == ENOENT { return nil }
    guard file >= 0 else { throw ServiceCredentialError(name, String(cString: strerror(errno))) }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: length.upperBound + 1)
    // One read gets all of it, because systemd writes credentials to an in-memory file system before the service
    // starts.
    let count = read(file, &bytes, bytes.count)
    guard count >= 0 else { throw ServiceCredentialError(name, String(cString: strerror(errno))) }
    guard length.contains(count) else {
      throw ServiceCredentialError(name, "it isn't \(length.lowerBound) to \(length.upperBound) bytes long")
    }
    return Array(bytes.prefix(count))
  }
}

/// A credential of the service cannot be used.
package struct ServiceCredentialError: Error, CustomStringConvertible {
  package let description: String

  init(_ name: String, _ cause: String) { description = "Can't use the credential \(name): \(cause)" }
}
