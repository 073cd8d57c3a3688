// SPDX-License-Identifier: Apache-2.0

import Activity

/// The marks with which programs say that what they copy is a secret. ``SecretSequence`` is the rest of the rule.
///
/// KeePassXC, KWallet, Bitwarden, 1Password, QtPass and `wl-copy --sensitive` offer `x-kde-passwordManagerHint` beside
/// the text. Its value does not matter here, because programs that offer it with other values than `secret` mean the
/// same. The other names are those of Windows and macOS, which remote desktops and Wine pass on.
package enum SecretHint {
  private static let names: Set = [
    "x-kde-passwordmanagerhint", "application/x-nspasteboard-concealed-type", "org.nspasteboard.concealedtype",
    "org.nspasteboard.transienttype", "com.agilebits.onepassword", "clipboard viewer ignore",
    "excludeclipboardcontentfrommonitorprocessing",
  ]

  /// The environment variable with which `wl-paste --watch` says what its content is.
  package static let stateVariable = "CLIPBOARD_STATE"

  /// - Parameter types: The names of the types in which the selection can be had.
  package static func isSecret(_ types: some Sequence<String>) -> Bool {
    types.contains { name in
      let name = name.lowercased()
      return names.contains(name) || name.scalarPrefix(while: { $0 != ";" && $0 != "=" }) == "x-kde-passwordmanagerhint"
    }
  }
}
