// SPDX-License-Identifier: Apache-2.0

extension JSON {
  /// The value as JSON text in UTF-8, without white space and with keys in ascending order. So equal values have equal
  /// bytes.
  package var bytes: [UInt8] {
    var output: [UInt8] = []
    write(to: &output)
    return output
  }

  /// The value as JSON text; see ``bytes``.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  private func write(to output: inout [UInt8]) {
    switch self {
    case .null: output += "null".utf8
    case .bool(let value): output += (value ? "true" : "false").utf8
    case .integer(let value): output += String(value).utf8
    case .unsigned(let value): output += String(value).utf8
    case .double(let value): output += (value.isFinite ? String(value) : "null").utf8
    case .string(let value): JSON.write(value, to: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(to: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        JSON.write(member.key, to: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(to: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ string: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    defer { output.append(UInt8(ascii: "\"")) }
    guard !isPlain(string) else { return output += string.utf8 }
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0A: output += "\\n".utf8
      case 0x0D: output += "\\r".utf8
      case 0x09: output += "\\t".utf8
      case 0..<0x20, 0x7F:
        let digits = String(byte, radix: 16)
        output += "\\u".utf8
        output += String(repeating: "0", count: 4 - digits.count).utf8
        output += digits.utf8
      default: output.append(byte)
      }
    }
  }

  private static func isPlain(_ string: String) -> Bool {
    let text = string.utf8
    let bytes = text.span
    for index in bytes.indices where !isPlain(bytes[index]) { return false }
    return true
  }

  /// Whether a byte stands for itself in a string.
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }
}
