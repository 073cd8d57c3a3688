// SPDX-License-Identifier: Apache-2.0

/// The components of paths. They are separated by bytes, because to Swift, a slash and a combining mark after it are
/// one character, which is no slash.
package enum PathComponents {
  /// Returns the components that are not empty.
  package static func split(_ path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  /// Returns the last component. Nil for the root.
  package static func last(_ path: String) -> String? { split(path).last }

  /// Returns the directory of an absolute path without `..`.
  package static func parent(_ path: String) -> String { "/" + split(path).dropLast().joined(separator: "/") }

  /// Returns what follows `root` in `path`, both absolute. Empty if they are the same, nil if it is not below.
  package static func path(_ path: String, below root: String) -> String? {
    let (names, parents) = (split(path), split(root))
    guard names.starts(with: parents, by: { $0.utf8.elementsEqual($1.utf8) }) else { return nil }
    return names.dropFirst(parents.count).joined(separator: "/")
  }
}
