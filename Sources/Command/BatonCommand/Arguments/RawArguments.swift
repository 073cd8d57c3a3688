// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The bytes of arguments that are paths. Names of files need not be text, and Swift replaces what is no text.
enum RawArguments {
  /// - Parameter texts: Some of this process's arguments, in their order.
  static func bytes(of texts: [String]) -> [[UInt8]] {
    var given: [[UInt8]] = []
    for case let argument? in UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc)) {
      given.append(
        Array(UnsafeBufferPointer(start: argument, count: strlen(argument))).map(UInt8.init(truncatingIfNeeded:))
      )
    }
    return bytes(of: texts, in: given)
  }

  /// - Parameter arguments: All arguments.
  static func bytes(of texts: [String], in arguments: [[UInt8]]) -> [[UInt8]] {
    var rest = arguments[...]
    return texts.map { text in
      // Only what has a replacement character can have been something else.
      guard text.unicodeScalars.contains("\u{FFFD}"),
        let index = rest.firstIndex(where: { String(decoding: $0, as: UTF8.self).utf8.elementsEqual(text.utf8) })
      else { return Array(text.utf8) }
      defer { rest = rest[(index + 1)...] }
      return rest[index]
    }
  }
}
