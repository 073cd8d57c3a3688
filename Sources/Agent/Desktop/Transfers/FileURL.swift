// SPDX-License-Identifier: Apache-2.0

import Activity

/// URLs of files of this machine, whose paths are bytes.
package enum FileURL {
  private static let prefix = "file://"

  /// - Parameter path: Absolute.
  package static func text(_ path: [UInt8]) -> String {
    let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return prefix + names.map { PercentEncoding.encode(Array($0)) }.joined(separator: "/")
  }

  /// Nil if it is not the URL of an absolute path without `.` and `..`.
  package static func path(_ text: String) -> [UInt8]? {
    let paths = [prefix, "\(prefix)localhost"].compactMap { path(text, after: $0) }
    guard let path = paths.first, let bytes = PercentEncoding.decode(path) else { return nil }
    let names = bytes.split(separator: UInt8(ascii: "/"))
    guard !bytes.contains(0), !names.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) })
    else {
      return nil
    }
    return bytes
  }

  /// What follows the start of a URL, which may have capital letters, if that is an absolute path.
  private static func path(_ text: String, after start: String) -> Substring? {
    let head = Substring(text.unicodeScalars.prefix(start.utf8.count))
    let path = text[head.endIndex...]
    return head.lowercased().hasBytes(of: start) && path.starts(withBytesOf: "/") ? path : nil
  }
}
