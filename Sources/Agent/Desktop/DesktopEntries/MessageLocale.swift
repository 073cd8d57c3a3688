// SPDX-License-Identifier: Apache-2.0

import Activity

/// The language in which a user reads messages.
package enum MessageLocale {
  /// The names that keys of desktop entries may use for a locale, the best first (Desktop Entry Specification 1.5,
  /// section 5). For `de_AT.UTF-8@euro` they are `de_AT@euro`, `de_AT`, `de@euro` and `de`.
  ///
  /// - Parameter text: `LANG_COUNTRY.ENCODING@MODIFIER`, where all but the language is optional. `C` and `POSIX` have
  ///   no names.
  package static func names(_ text: String) -> [String] {
    let modifier = String(text.dropScalars(while: { $0 != "@" }))
    let place = text.scalarPrefix(while: { $0 != "." && $0 != "@" })
    let language = place.scalarPrefix(while: { $0 != "_" })
    guard !language.isEmpty, language != "C", language != "POSIX" else { return [] }
    var names: [String] = []
    for name in [place + modifier, place, language + modifier, language] where !names.contains(String(name)) {
      names.append(String(name))
    }
    return names
  }
}
