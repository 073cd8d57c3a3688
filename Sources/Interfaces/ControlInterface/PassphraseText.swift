// SPDX-License-Identifier: Apache-2.0

import Activity

/// The text of a passphrase: it is not empty, and has at most `Limits.passphraseLength` bytes.
package enum PassphraseText: BoundedText {
  package static let lengths = 1...Limits.passphraseLength
}
