/// The language in which a user reads messages.
package enum MessageLocale {
  /// How keys of desktop entries may name a locale, the best first (Desktop Entry Specification 1.5, section 5): of
  /// `de_AT.UTF-8@euro` they are `de_AT@euro`, `de_AT`, `de@euro` and `de`.
  ///
  /// - Parameter text: `LANG_COUNTRY.ENCODING@MODIFIER`, of which the language is enough; `C` and `POSIX` are none.
  package static func names(_ text: String) -> [String] {
    let modifier = String(text.drop { $0 != "@" })
    let place = text.prefix { $0 != "." && $0 != "@" }
    let language = place.prefix { $0 != "_" }
    guard !language.isEmpty, language != "C", language != "POSIX" else { return [] }
    var names: [String] = []
    for name in [place + modifier, place, language + modifier, language] where !names.contains(String(name)) {
      names.append(String(name))
    }
    return names
  }
}
