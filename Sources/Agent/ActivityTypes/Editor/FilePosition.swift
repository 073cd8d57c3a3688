// SPDX-License-Identifier: Apache-2.0

import Activity

/// `FILE[:LINE[:COLUMN]]`, as compilers write it.
package struct FilePosition: Equatable, Sendable {
  package let path: String
  package let line: Int?
  package let column: Int?

  /// - Parameter exists: Whether there is a file of this name. Names can end like a position.
  package init(_ text: String, exists: (String) -> Bool) {
    var path = Substring(text)
    var numbers: [Int] = []
    while numbers.count < 2, !exists(String(path)), let colon = path.unicodeScalars.lastIndex(of: ":"),
      let number = Int(path.rest(after: colon)), (1...TextPosition.highest).contains(number)
    {
      numbers.insert(number, at: 0)
      path = path[..<colon]
    }
    self.path = String(path)
    line = numbers.first
    column = numbers.count == 2 ? numbers[1] : nil
  }
}
