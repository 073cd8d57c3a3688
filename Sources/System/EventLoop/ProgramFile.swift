// SPDX-License-Identifier: Apache-2.0

import Glibc

/// The file of the running program.
package enum ProgramFile {
  /// Its path, without links. Nil if it cannot be found out, for example without /proc.
  package static var path: String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    // A path that fills the buffer may have been cut.
    guard count > 0, count < buffer.count else { return nil }
    return String(validating: buffer[..<count].map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
  }

  /// Where it is installed: `/usr` for `/usr/bin/baton`. Nil if it is not, but has just been built.
  package static var prefix: String? { path.flatMap(prefix(of:)) }

  static func prefix(of path: String) -> String? {
    let folders = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropLast()
    guard let last = folders.last, last.elementsEqual("bin".utf8) || last.elementsEqual("sbin".utf8) else { return nil }
    return folders.dropLast().map { String(Substring($0)) }.joined(separator: "/")
  }
}
