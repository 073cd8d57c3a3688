// SPDX-License-Identifier: Apache-2.0

import Activity

/// The value of a field `Refresh`, as browsers read it (HTML, "shared declarative refresh steps"): a time and an
/// address, such as `5; url=/next`.
struct RefreshField: Equatable {
  /// Everything before the address.
  let start: String
  let address: String
  /// Everything after the address: a quote and what follows it.
  let end: String

  /// Nil if it has no address, so that the page itself loads again.
  init?(_ value: String) {
    let isSpace: (Unicode.Scalar) -> Bool = { [" ", "\t", "\u{C}"].contains($0) }
    let time = value.dropScalars(while: isSpace).dropScalars { "0123456789.".unicodeScalars.contains($0) }
    var rest = time.dropScalars(while: isSpace)
    if let sign = rest.unicodeScalars.first, ";,".unicodeScalars.contains(sign) {
      rest = rest.rest(after: rest.startIndex).dropScalars(while: isSpace)
    }
    if rest.scalarPrefix(while: { $0 != "=" }).lowercased().splitScalars(where: isSpace) == ["url"] {
      rest = rest.dropScalars { $0 != "=" }
      rest = rest.rest(after: rest.startIndex).dropScalars(while: isSpace)
    }
    var address = rest
    if let quote = rest.unicodeScalars.first, "'\"".unicodeScalars.contains(quote) {
      address = rest.rest(after: rest.startIndex).scalarPrefix { $0 != quote }
    }
    guard !address.isEmpty else { return nil }
    start = String(value[..<address.startIndex])
    self.address = String(address)
    end = String(value[address.endIndex...])
  }

  /// The field with another address.
  func text(_ address: String) -> String { start + address + end }  // Checked: texts.
}
