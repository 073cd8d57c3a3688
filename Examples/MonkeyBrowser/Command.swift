import Foundation

/// What a person does with the pages, by keys or by lines.
enum Command: Equatable, Sendable {
  case select(TabKind)
  case open(URL)
  case scrollTo(Int)
  case scrollBy(Int)
  case chooseNextLink
  case followLink
  case goBack
}
