// SPDX-License-Identifier: Apache-2.0

/// Where translations come from. Without one, texts are in English.
package enum Translations {
  /// Translates a format, or chooses between its singular and its plural for a count.
  package typealias Catalog = @Sendable (_ format: String, _ plural: (format: String, count: Int)?) -> String

  /// The catalog of the user's language. A program sets it once, before it starts threads; afterwards, it is only read.
  package nonisolated(unsafe) static var catalog: Catalog?
}

/// A text for people in the user's language. `Scripts/make-translations` finds the texts by the name of this function,
/// so its argument is always a literal.
package func localized(_ message: Message) -> String {
  guard let catalog = unsafe Translations.catalog else { return message.text(message.format) }
  return message.text(catalog(message.format, nil))
}

/// A text for people that depends on a number, in the user's language.
///
/// - Parameters:
///   - count: The number that decides.
///   - one: For 1, in English.
///   - other: For all other numbers. Languages have as many forms as they need, all with the arguments of this one.
package func localized(_ count: Int, one: Message, other: Message) -> String {
  guard let catalog = unsafe Translations.catalog else {
    let message = count == 1 ? one : other
    return message.text(message.format)
  }
  return other.text(catalog(one.format, (other.format, count)))
}
