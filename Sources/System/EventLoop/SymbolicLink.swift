// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reads where paths lead.
package enum SymbolicLink {
  /// The target of a symbolic link. Nil if it isn't one, or is longer than any path.
  package static func target(of link: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &buffer, buffer.count)
    guard count > 0, count < buffer.count else { return nil }
    return String(decoding: buffer[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }

  /// The path without links. Nil if there is nothing.
  package static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }
}
