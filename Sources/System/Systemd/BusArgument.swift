// SPDX-License-Identifier: Apache-2.0

import CSystemd

/// A value that is sent over the bus.
package indirect enum BusArgument: Equatable, Sendable {
  case string(String)
  /// `o`. sd-bus refuses what is not one.
  case path(String)
  case boolean(Bool)
  /// `y`
  case byte(UInt8)
  /// `i`
  case integer(Int32)
  /// `x`
  case longInteger(Int64)
  /// `u`
  case number(UInt32)
  /// `d`
  case double(Double)
  /// - Parameter contents: The signature of each element.
  case array(contents: String, [BusArgument])
  case structure([BusArgument])
  /// An entry of a dictionary, which is an array of entries.
  case entry(BusArgument, BusArgument)
  case variant(BusArgument)

  /// Its D-Bus signature.
  package var signature: String {
    switch self {
    case .string: "s"
    case .path: "o"
    case .boolean: "b"
    case .byte: "y"
    case .integer: "i"
    case .longInteger: "x"
    case .number: "u"
    case .double: "d"
    case .array(let contents, _): "a" + contents
    case .structure(let members): "(" + members.map(\.signature).joined() + ")"
    case .entry(let key, let value): "{" + key.signature + value.signature + "}"
    case .variant: "v"
    }
  }

  /// A dictionary `a{sv}`.
  package static func properties(_ values: KeyValuePairs<String, BusArgument>) -> BusArgument {
    .array(contents: "{sv}", values.map { .entry(.string($0.key), .variant($0.value)) })
  }

  /// - Returns: Negative if sd-bus does not accept it.
  func append(to message: OpaquePointer?) -> Int32 {
    switch self {
    case .string(let text):
      return Self.accepted(text).withCString { sd_bus_message_append_basic(message, Self.code("s"), $0) }
    case .path(let text): return text.withCString { sd_bus_message_append_basic(message, Self.code("o"), $0) }
    case .boolean(let value): return append(Int32(value ? 1 : 0), "b", message)
    case .byte(let value): return append(value, "y", message)
    case .integer(let value): return append(value, "i", message)
    case .longInteger(let value): return append(value, "x", message)
    case .number(let value): return append(value, "u", message)
    case .double(let value): return append(value, "d", message)
    case .array(let contents, let elements): return append(elements, "a", contents, message)
    case .structure(let members): return append(members, "r", members.map(\.signature).joined(), message)
    case .entry(let key, let value): return append([key, value], "e", key.signature + value.signature, message)
    case .variant(let value): return append([value], "v", value.signature, message)
    }
  }

  /// sd-bus refuses texts with noncharacters, which the D-Bus Specification allows.
  private static func accepted(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint) else { return text }
    let scalars = text.unicodeScalars.map { $0.properties.isNoncharacterCodePoint ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(scalars))
  }

  private func append<T: BitwiseCopyable>(_ value: T, _ type: String, _ message: OpaquePointer?) -> Int32 {
    withUnsafePointer(to: value) { sd_bus_message_append_basic(message, Self.code(type), $0) }
  }

  private func append(
    _ values: [BusArgument],
    _ container: String,
    _ contents: String,
    _ message: OpaquePointer?
  ) -> Int32 {
    var result = sd_bus_message_open_container(message, Self.code(container), contents)
    for value in values where result >= 0 { result = value.append(to: message) }
    return result < 0 ? result : sd_bus_message_close_container(message)
  }

  private static func code(_ type: String) -> CChar { CChar(truncatingIfNeeded: type.utf8.first ?? 0) }
}
