// SPDX-License-Identifier: Apache-2.0

import Activity

/// The first line and the fields of a request or a response (RFC 9112, section 2.1).
struct HTTPHead: Equatable, Sendable {
  struct Field: Equatable, Sendable {
    let name: String
    var value: [UInt8]

    func isNamed(_ name: String) -> Bool { self.name.lowercased().hasBytes(of: name) }

    /// The value as text; nil if it is none.
    var text: String? { String(validating: value, as: UTF8.self) }
  }

  struct Malformed: Error, Equatable {}

  var start: [UInt8]
  var fields: [Field]

  /// Reads a request strictly, because two programs must not read it in two ways: each line ends with CRLF, and no line
  /// continues another. Responses, which only the browser reads after this, may have lines that end with LF.
  ///
  /// - Parameter bytes: With the empty line.
  /// - Throws: `Malformed`, also if there are more than `LocalPageLimits.fields`.
  init(_ bytes: ArraySlice<UInt8>, isRequest: Bool) throws(Malformed) {
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard lines.count >= 3, lines.popLast()?.isEmpty == true, lines.count <= LocalPageLimits.fields + 2 else {
      throw Malformed()
    }
    for index in lines.indices {
      // Checked: an index of the array.
      guard let last = lines[index].last, last == 0x0D else {
        if isRequest { throw Malformed() }
        continue
      }
      lines[index].removeLast()
    }
    guard lines.popLast()?.isEmpty == true, let start = lines.first, !start.isEmpty,
      lines.allSatisfy({ $0.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } })
    else { throw Malformed() }
    self.start = Array(start)
    fields = []
    for line in lines.dropFirst() {
      if line.first == 0x20 || line.first == 0x09 {
        guard !isRequest, let last = fields.indices.last else { throw Malformed() }
        fields[last].value += [0x20] + line
        continue
      }
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      guard !name.isEmpty, name.count < line.count, name.allSatisfy(Self.isToken) else { throw Malformed() }
      let value = line.dropFirst(name.count + 1)
      fields.append(Field(name: String(decoding: name, as: UTF8.self), value: Array(Self.trimmed(value))))
    }
  }

  func values(_ name: String) -> [[UInt8]] { fields.filter { $0.isNamed(name) }.map(\.value) }

  func texts(_ name: String) -> [String] { fields.filter { $0.isNamed(name) }.map { $0.text ?? "\u{FFFD}" } }

  /// The comma-separated, lower-case words of all fields of this name.
  func words(_ name: String) -> [String] {
    texts(name).flatMap { $0.split(atScalar: ",") }.map {
      $0.lowercased().splitScalars { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }.filter { !$0.isEmpty }
  }

  mutating func remove(_ names: String...) { fields.removeAll { field in names.contains { field.isNamed($0) } } }

  mutating func set(_ name: String, _ value: String) {
    remove(name.lowercased())
    fields.append(Field(name: name, value: Array(value.utf8)))
  }

  mutating func rewrite(_ name: String, _ change: (String) -> String) {
    for index in fields.indices where fields[index].isNamed(name) {
      if let text = fields[index].text { fields[index].value = Array(change(text).utf8) }
    }
  }

  /// Makes text of an address that has bytes of another encoding, as browsers do, so that it can be judged.
  mutating func encode(_ name: String) {
    let digits = Array("0123456789ABCDEF".utf8)
    for index in fields.indices where fields[index].isNamed(name) && fields[index].text == nil {
      fields[index].value = fields[index].value.flatMap { byte -> [UInt8] in
        // Checked: 16 digits.
        byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      }
    }
  }

  var bytes: [UInt8] {
    var bytes = start + [0x0D, 0x0A]
    for field in fields { bytes += Array(field.name.utf8) + [0x3A, 0x20] + field.value + [0x0D, 0x0A] }
    return bytes + [0x0D, 0x0A]
  }

  /// Finds the end of the empty line.
  ///
  /// - Parameter searched: How many bytes were searched before.
  static func end(in bytes: [UInt8], from searched: Int) -> Int? {
    // Checked: may be negative before.
    var index = max(0, searched - 3)
    while index < bytes.count {
      // Checked: below the count.
      guard bytes[index] == 0x0A else {
        index += 1  // Checked: below the count.
        continue
      }
      let rest = bytes[index...].dropFirst()
      if rest.first == 0x0A { return index + 2 }  // Checked: there are two.
      if rest.starts(with: [0x0D, 0x0A]) { return index + 3 }  // Checked: there are three.
      index += 1  // Checked: below the count.
    }
    return nil
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
    let rest = value.drop(while: isSpace)
    guard let last = rest.lastIndex(where: { !isSpace($0) }) else { return [] }
    return rest[...last]
  }
}
