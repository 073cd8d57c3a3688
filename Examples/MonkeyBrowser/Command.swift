// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a person does with the pages, with keys or with lines.
enum Command: Equatable, Sendable {
  case select(TabKind)
  case open(URL)
  case scrollTo(Int)
  case scrollBy(Int)
  case chooseNextLink
  case followLink
  case goBack
}
