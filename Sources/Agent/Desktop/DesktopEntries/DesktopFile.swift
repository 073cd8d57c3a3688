// SPDX-License-Identifier: Apache-2.0

import Activity

/// The first group of a desktop entry file (Desktop Entry Specification 1.5, section 3), with unparsed values.
package struct DesktopFile: Equatable, Sendable {
  private static let group = "Desktop Entry"
  private var values: [String: String] = [:]
  /// The values of keys with a locale, in the locale that fits best.
  private var translations: [String: String] = [:]

  /// Checks keys in other locales and the groups that follow, and leaves them out.
  ///
  /// - Parameter locales: The user's locales as keys may name them, the best first; see ``MessageLocale``.
  /// - Throws: `MalformedEntry` that names the line.
  package init(_ bytes: [UInt8], locales: [String] = []) throws(MalformedEntry) {
    guard bytes.count <= Limits.desktopEntryLength else {
      throw MalformedEntry("It's longer than \(Limits.desktopEntryLength) bytes")
    }
    guard String(validating: bytes, as: UTF8.self) != nil else { throw MalformedEntry("It isn't UTF-8") }
    // No argument of a program can contain one.
    guard !bytes.contains(0) else { throw MalformedEntry("It contains a zero byte") }
    var groups: Set<String> = []
    var current: String?
    var keys: Set<String> = []
    var ranks: [String: Int] = [:]
    // By bytes, because a combining scalar forms another `Character` with the sign before it.
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
      let number = index + 1  // Checked: a line of the file.
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      if line.first == UInt8(ascii: "#") || line.allSatisfy(Self.isSpace) { continue }
      if line.first == UInt8(ascii: "[") {
        let name = try Self.groupName(line, number)
        guard groups.insert(name).inserted else {
          throw MalformedEntry("Line \(number): the group [\(name)] occurs twice")
        }
        if groups.count == 1, name != Self.group {
          throw MalformedEntry("Line \(number): the first group isn't [\(Self.group)]")
        }
        current = name
        keys = []
        continue
      }
      guard let current else { throw MalformedEntry("Line \(number): a key comes before the first group") }
      let (name, locale, value) = try Self.assignment(line, number)
      let key = Self.text(line[name.startIndex..<locale.endIndex])
      guard keys.insert(key).inserted else { throw MalformedEntry("Line \(number): \(key) occurs twice") }
      guard current == Self.group else { continue }
      if locale.isEmpty {
        values[key] = Self.text(value)
      } else if let rank = locales.firstIndex(where: { locale.elementsEqual("[\($0)]".utf8) }) {
        let name = Self.text(name)
        if rank < ranks[name] ?? .max { (translations[name], ranks[name]) = (Self.text(value), rank) }
      }
    }
    guard current != nil else { throw MalformedEntry("The group [\(Self.group)] is missing") }
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  private static func groupName(_ line: ArraySlice<UInt8>, _ number: Int) throws(MalformedEntry) -> String {
    let name = line.dropFirst().prefix { $0 != UInt8(ascii: "]") }
    let rest = line[name.endIndex...]
    guard !rest.isEmpty, rest.dropFirst().allSatisfy(isSpace), !name.isEmpty,
      name.allSatisfy({ (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "[") })
    else { throw MalformedEntry("Line \(number): this isn't a group") }
    return text(name)
  }

  /// - Returns: The key; its locale with brackets, empty if it has none; and the value.
  private static func assignment(
    _ line: ArraySlice<UInt8>,
    _ number: Int
  ) throws(MalformedEntry) -> (name: ArraySlice<UInt8>, locale: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    guard let sign = line.firstIndex(of: UInt8(ascii: "=")) else {
      throw MalformedEntry("Line \(number): this is neither a group nor a key with a value")
    }
    var key = line[..<sign]
    while let last = key.last, isSpace(last) { key.removeLast() }
    let name = key.prefix { $0 != UInt8(ascii: "[") }
    let locale = key[name.endIndex...]
    guard !name.isEmpty, name.allSatisfy(isKeyByte),
      locale.isEmpty || (locale.count > 2 && locale.last == UInt8(ascii: "]"))
    else { throw MalformedEntry("Line \(number): this isn't a key") }
    return (name, locale, line[sign...].dropFirst().drop(while: isSpace))
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

  /// Letters, digits and `-`.
  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // MARK: Values (section 4)

  /// The value with its escapes resolved; nil if there is none.
  package func string(_ key: String) throws(MalformedEntry) -> String? {
    guard let value = values[key] else { return nil }
    return try Self.elements(of: value, in: key, isList: false).first ?? ""
  }

  /// The same in the user's language if the file has it.
  package func translated(_ key: String) throws(MalformedEntry) -> String? {
    guard let value = translations[key] else { return try string(key) }
    return try Self.elements(of: value, in: key, isList: false).first ?? ""
  }

  /// The elements of a list; empty if the key is missing.
  package func list(_ key: String) throws(MalformedEntry) -> [String] {
    guard let value = values[key] else { return [] }
    return try Self.elements(of: value, in: key, isList: true)
  }

  /// False if the key is missing.
  package func boolean(_ key: String) throws(MalformedEntry) -> Bool {
    switch values[key] {
    case nil, "false": false
    case "true": true
    default: throw MalformedEntry("\(key) is neither true nor false")
    }
  }

  /// The escapes are `\s`, `\n`, `\t`, `\r`, `\\` and, in a list, `\;`.
  private static func elements(
    of value: String,
    in key: String,
    isList: Bool
  ) throws(MalformedEntry) -> [String] {
    var elements: [String] = []
    var element = ""
    var rest = value.unicodeScalars.makeIterator()
    while let scalar = rest.next() {
      switch scalar {
      case ";" where isList:
        elements.append(element)
        element = ""
      case "\\":
        switch rest.next() {
        case "s": element += " "
        case "n": element += "\n"
        case "t": element += "\t"
        case "r": element += "\r"
        case "\\": element += "\\"
        case ";" where isList: element += ";"
        default: throw MalformedEntry("\(key) has an unknown escape sequence")
        }
      default: element.unicodeScalars.append(scalar)
      }
    }
    // The last separator is optional.
    if !isList || !element.isEmpty { elements.append(element) }
    return elements
  }
}
