// SPDX-License-Identifier: Apache-2.0

/// Why bytes are not a JSON text that we accept, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable {
    case unexpectedEnd = "The text ends in the middle of a value"
    case unexpectedByte = "This byte isn't allowed here"
    case invalidNumber = "This isn't a number"
    case invalidString = "This isn't a UTF-8 string"
    case tooManyMarks = "There are too many combining marks in a row"
    case duplicateKey = "This key occurs twice in one object"
    case tooDeep = "Arrays and objects are nested too deeply"
    case trailingBytes = "There's extra data after the value"
  }

  package let code: Code
  /// The number of bytes before the error.
  package let offset: Int

  package init(code: Code, offset: Int) {
    self.code = code
    self.offset = offset
  }

  package var description: String { "\(code.rawValue) (at byte \(offset))" }
}
