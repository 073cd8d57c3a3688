// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A line of input to the line interface.
enum LineCommand: Equatable {
  case browse(Command)
  case offers
  case continueOffer
  case state
  case quit

  /// - Throws: `Refusal` if the line is not a command.
  init(_ line: String) throws(Refusal) {
    let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    let argument = words.count == 2 ? words[1] : nil
    switch (words.first, argument) {
    case ("tab", let text?):
      guard let kind = Int(text).flatMap(TabKind.init(number:)) ?? TabKind(rawValue: text) else {
        throw Refusal("There is no tab \(text)")
      }
      self = .browse(.select(kind))
    case ("open", let text?):
      guard let url = Address.checked(text) else { throw Refusal("Not an https URL: \(text)") }
      self = .browse(.open(url))
    case ("scroll", let text?):
      guard let line = Int(text) else { throw Refusal("Not a number: \(text)") }
      self = .browse(.scrollTo(line))
    case ("next", nil): self = .browse(.chooseNextLink)
    case ("follow", nil): self = .browse(.followLink)
    case ("back", nil): self = .browse(.goBack)
    case ("offers", nil): self = .offers
    case ("continue", nil): self = .continueOffer
    case ("state", nil): self = .state
    case ("quit", nil): self = .quit
    default: throw Refusal("tab N, open URL, scroll N, next, follow, back, offers, continue, state, quit")
    }
  }
}
