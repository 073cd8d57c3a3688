// SPDX-License-Identifier: Apache-2.0

extension JSON {
  /// Parses `bytes`, which contain one value. White space around it is allowed.
  ///
  /// - Parameter depth: The maximum nesting depth of arrays and objects. 1 allows `[1]` and not `[[1]]`.
  /// - Throws: `JSONError` if the text violates RFC 8259, or the value is nested deeper than `depth`. Also if a key
  ///   occurs twice or is not stream-safe, or a string has 2,048 combining marks in a row.
  package init(parsing bytes: some Collection<UInt8>, depth: Int) throws(JSONError) {
    var parser = JSONParser(bytes: Array(bytes))
    self = try parser.wholeText(depth: depth)
  }
}

/// A recursive descent parser. The depth limit bounds the recursion.
private struct JSONParser {
  /// The number of consecutive combining marks that are refused. No `userInfo` that is short enough contains that many.
  private static let markLimit = 2048

  let bytes: [UInt8]
  // Checked position, start: never beyond bytes.count.
  private var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  mutating func wholeText(depth: Int) throws(JSONError) -> JSON {
    let value = try value(depth: depth)
    skipWhiteSpace()
    guard position == bytes.count else { throw error(.trailingBytes) }
    return value
  }

  private func error(_ code: JSONError.Code) -> JSONError { JSONError(code: code, offset: position) }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipWhiteSpace() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard let found = current else { throw error(.unexpectedEnd) }
    guard found == byte else { throw error(.unexpectedByte) }
    position += 1
  }

  // Checked depth: never below 0 here; arrays and objects refuse -1.
  private mutating func value(depth: Int) throws(JSONError) -> JSON {
    skipWhiteSpace()
    guard let byte = current else { throw error(.unexpectedEnd) }
    switch byte {
    case UInt8(ascii: "{"): return try object(depth: depth - 1)
    case UInt8(ascii: "["): return try array(depth: depth - 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw error(.unexpectedByte)
    }
  }

  private mutating func word(_ word: String, _ value: JSON) throws(JSONError) -> JSON {
    for byte in word.utf8 { try expect(byte) }
    return value
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSON {
    guard depth >= 0 else { throw error(.tooDeep) }
    try expect(UInt8(ascii: "["))
    var elements: [JSON] = []
    skipWhiteSpace()
    if current == UInt8(ascii: "]") {
      position += 1
      return .array(elements)
    }
    while true {
      elements.append(try value(depth: depth))
      if try !more(until: UInt8(ascii: "]")) { return .array(elements) }
    }
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSON {
    guard depth >= 0 else { throw error(.tooDeep) }
    try expect(UInt8(ascii: "{"))
    var members: [String: JSON] = [:]
    skipWhiteSpace()
    if current == UInt8(ascii: "}") {
      position += 1
      return .object(members)
    }
    while true {
      skipWhiteSpace()
      let key = try string()
      guard key.isStreamSafe else { throw error(.tooManyMarks) }
      guard members[key] == nil else { throw error(.duplicateKey) }
      skipWhiteSpace()
      try expect(UInt8(ascii: ":"))
      members[key] = try value(depth: depth)
      if try !more(until: UInt8(ascii: "}")) { return .object(members) }
    }
  }

  /// Takes the comma or the closing bracket after an element. Returns false if that was the last element.
  private mutating func more(until end: UInt8) throws(JSONError) -> Bool {
    skipWhiteSpace()
    if current == end {
      position += 1
      return false
    }
    try expect(UInt8(ascii: ","))
    return true
  }

  private mutating func number() throws(JSONError) -> JSON {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let firstDigit = current
    let digits = try digits()
    guard firstDigit != UInt8(ascii: "0") || digits == 1 else { throw error(.invalidNumber) }
    var isInteger = true
    if current == UInt8(ascii: ".") {
      isInteger = false
      position += 1
      _ = try self.digits()
    }
    if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
      isInteger = false
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      _ = try self.digits()
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger {
      if let value = Int64(text) { return .integer(value) }
      if let value = UInt64(text) { return .unsigned(value) }
    }
    guard let value = Double(text), value.isFinite else { throw error(.invalidNumber) }
    return .double(value)
  }

  /// Takes at least one digit, and returns how many.
  private mutating func digits() throws(JSONError) -> Int {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw error(current == nil ? .unexpectedEnd : .invalidNumber) }
    return position - start
  }

  private mutating func string() throws(JSONError) -> String {
    try expect(UInt8(ascii: "\""))
    let start = position
    while let byte = current, Self.isPlain(byte) { position += 1 }
    let plain = bytes[start..<position]
    if current == UInt8(ascii: "\"") {
      position += 1
      return try checked(plain)
    }
    var content = Array(plain)
    while let byte = current {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try checked(content[...])
      case UInt8(ascii: "\\"): content += String(try escaped()).utf8
      case 0..<0x20: throw error(.invalidString)
      default: content.append(byte)
      }
    }
    throw error(.unexpectedEnd)
  }

  /// Whether a byte stands for itself in a string.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  private func checked(_ content: ArraySlice<UInt8>) throws(JSONError) -> String {
    guard let string = String(validating: content, as: UTF8.self) else { throw error(.invalidString) }
    guard !string.hasMarks(inARow: Self.markLimit) else { throw error(.tooManyMarks) }
    return string
  }

  /// Takes the scalar after a backslash. A surrogate pair is one scalar; a lone surrogate is an error.
  private mutating func escaped() throws(JSONError) -> Unicode.Scalar {
    guard let byte = current else { throw error(.unexpectedEnd) }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try codeUnit()
      guard (0xD800...0xDBFF).contains(unit) else { return try scalar(unit) }
      try expect(UInt8(ascii: "\\"))
      try expect(UInt8(ascii: "u"))
      let low = try codeUnit()
      guard (0xDC00...0xDFFF).contains(low) else { throw error(.invalidString) }
      return try scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))  // Checked: both are in their ranges.
    default: throw error(.invalidString)
    }
  }

  private func scalar(_ value: UInt32) throws(JSONError) -> Unicode.Scalar {
    guard let scalar = Unicode.Scalar(value) else { throw error(.invalidString) }
    return scalar
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current else { throw error(.unexpectedEnd) }
      // Characters: of one byte.
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { throw error(.invalidString) }
      unit = unit << 4 | UInt32(digit)
      position += 1
    }
    return unit
  }
}
