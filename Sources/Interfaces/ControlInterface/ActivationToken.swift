// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The token that lets a started app take the focus: the value of `XDG_ACTIVATION_TOKEN`.
package enum ActivationToken: MemberCoding {
  package static func decode(_ json: JSON?) -> String? { json?.string.flatMap { isValid($0) ? $0 : nil } }
  package static func encode(_ token: String) -> JSON? { .string(token) }

  /// Whether the text can be an activation token: printable ASCII, 1 to `Limits.activationTokenLength` bytes.
  package static func isValid(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= Limits.activationTokenLength
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
