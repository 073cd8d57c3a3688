// SPDX-License-Identifier: Apache-2.0

import CSystemd
import Glibc

/// A D-Bus message whose values are read in order.
///
/// Every reader returns nil if the message has something else at its position. The message belongs to sd-bus and can be
/// used until the handler that received it returns.
package struct BusMessage {
  /// The maximum length of a name or object path that is read from the bus, in bytes.
  private static let busTextLength = 512

  let pointer: OpaquePointer

  /// - Parameter borrowed: A message that sd-bus owns.
  init(borrowed pointer: OpaquePointer) { self.pointer = pointer }

  package var path: String { sd_bus_message_get_path(pointer).map { String(cString: $0) } ?? "" }

  /// The interface and the method or signal. Empty if the message has none.
  package var interface: String { sd_bus_message_get_interface(pointer).map { String(cString: $0) } ?? "" }
  package var member: String { sd_bus_message_get_member(pointer).map { String(cString: $0) } ?? "" }

  /// The unique name of the sender. Empty if sd-bus made the message itself, such as the error of a call without a
  /// reply.
  package var sender: String { sd_bus_message_get_sender(pointer).map { String(cString: $0) } ?? "" }

  /// The name of the error, if this message is one; otherwise nil.
  package var errorName: String? {
    guard sd_bus_message_is_method_error(pointer, nil) > 0, let error = sd_bus_message_get_error(pointer) else {
      return nil
    }
    return error.pointee.name.map { String(cString: $0) } ?? ""
  }

  /// Whether the message consists of values with this signature.
  package func has(signature: String) -> Bool { sd_bus_message_has_signature(pointer, signature) > 0 }

  /// Reads a string or an object path.
  ///
  /// - Parameter limit: In bytes; a longer string gives nil.
  package func string(_ type: BusType = .string, limit: Int = Self.busTextLength) -> String? {
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(pointer, type.code, &text) > 0, let text else { return nil }
    // A longer one is not copied.
    return strnlen(text, limit + 1) <= limit ? String(validatingCString: text) : nil
  }

  /// Reads an array of strings, up to the first one that makes them exceed `limit` bytes in total.
  package func strings(limit: Int) -> [String] {
    var strings: [String] = []
    var rest = limit
    _ = enter(.array, "s") {
      while let text = string(limit: rest) {
        rest -= text.utf8.count
        strings.append(text)
      }
    }
    return strings
  }

  package func boolean() -> Bool? {
    var value: Int32 = 0
    return sd_bus_message_read_basic(pointer, BusType.boolean.code, &value) > 0 ? value != 0 : nil
  }

  package func double() -> Double? {
    var value = 0.0
    return sd_bus_message_read_basic(pointer, BusType.double.code, &value) > 0 ? value : nil
  }

  /// Reads a signed number of 64 bits.
  package func longInteger() -> Int64? {
    var value: Int64 = 0
    return sd_bus_message_read_basic(pointer, BusType.longInteger.code, &value) > 0 ? value : nil
  }

  package func unsignedLongInteger() -> UInt64? {
    var value: UInt64 = 0
    return sd_bus_message_read_basic(pointer, BusType.unsignedLongInteger.code, &value) > 0 ? value : nil
  }

  package func integer() -> Int32? {
    var value: Int32 = 0
    return sd_bus_message_read_basic(pointer, BusType.integer.code, &value) > 0 ? value : nil
  }

  package func number() -> UInt32? {
    var value: UInt32 = 0
    return sd_bus_message_read_basic(pointer, BusType.number.code, &value) > 0 ? value : nil
  }

  /// Reads a descriptor, which the message owns. Duplicate it to keep it.
  package func descriptor() -> Int32? {
    var value: Int32 = -1
    return sd_bus_message_read_basic(pointer, BusType.descriptor.code, &value) > 0 && value >= 0 ? value : nil
  }

  /// Reads the contents of an array, a structure or a variant.
  ///
  /// - Parameters:
  ///   - contents: The signature of the contents.
  ///   - body: Must leave nothing unread.
  /// - Returns: Nil if there is no such container, or no more of them.
  package func enter<T>(_ container: BusContainer, _ contents: String, _ body: () -> T) -> T? {
    guard sd_bus_message_enter_container(pointer, container.code, contents) > 0 else { return nil }
    let value = body()
    guard sd_bus_message_exit_container(pointer) >= 0 else { return nil }
    return value
  }

  /// The signature of the contents if a variant comes next; otherwise nil.
  package var variantContents: String? {
    var type: CChar = 0
    var contents: UnsafePointer<CChar>?
    guard sd_bus_message_peek_type(pointer, &type, &contents) > 0, type == BusContainer.variant.code else { return nil }
    return contents.map { String(cString: $0) }
  }

  /// Skips values with this signature.
  package func skip(_ contents: String) { sd_bus_message_skip(pointer, contents) }
}

/// D-Bus's letters for the types that are used here.
package enum BusType: String {
  case string = "s", path = "o", boolean = "b", integer = "i", number = "u", longInteger = "x"
  case unsignedLongInteger = "t", double = "d", descriptor = "h"

  var code: CChar { CChar(truncatingIfNeeded: rawValue.utf8.first ?? 0) }
}

package enum BusContainer: String {
  case array = "a", structure = "r", entry = "e", variant = "v"

  var code: CChar { CChar(truncatingIfNeeded: rawValue.utf8.first ?? 0) }
}
