// SPDX-License-Identifier: Apache-2.0

import Activity
import TLS

extension Certificate {
  /// Returns the same certificate with a signature that does not match.
  func changedPEM() throws -> String {
    var bytes = try der()
    bytes[bytes.count - 1] ^= 1
    let text = Array(Base64.encode(bytes))
    let lines = stride(from: 0, to: text.count, by: 64).map { String(text[$0..<min($0 + 64, text.count)]) }
    return (["-----BEGIN CERTIFICATE-----"] + lines + ["-----END CERTIFICATE-----", ""]).joined(separator: "\n")
  }
}
