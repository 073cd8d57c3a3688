// SPDX-License-Identifier: Apache-2.0

import Activity

/// Directories of which nothing is told.
package enum DirectoryExclusion {
  private static let most = 64

  /// Returns the paths in a list such as the value of `BATON_EXCLUDE`: separated by colons, and each absolute or below
  /// `~`, which a shell leaves alone in quotes. Nil if an entry is anything else, or if there are too many: it must not
  /// be taken for nothing.
  ///
  /// - Parameter home: The user's home directory.
  package static func paths(_ list: String, home: String?) -> [String]? {
    let entries = list.split(atScalar: ":")
    // The sign stands for what is no text.
    guard entries.count <= most, !list.unicodeScalars.contains("\u{FFFD}") else { return nil }
    var paths: [String] = []
    for entry in entries {
      // fish separates the entries of a list that it exports by spaces.
      guard let path = expanded(entry, home), path.utf8.first == UInt8(ascii: "/"), !path.containsBytes(of: " /"),
        !path.containsBytes(of: " ~")
      else { return nil }
      paths.append(path)
    }
    return paths
  }

  private static func expanded(_ entry: Substring, _ home: String?) -> String? {
    guard entry.hasBytes(of: "~") || entry.starts(withBytesOf: "~/") else { return String(entry) }
    guard let home, home.starts(withBytesOf: "/") else { return nil }
    return home + (entry.rest(afterBytesOf: "~") ?? "")
  }

  /// Whether the directory is one of the excluded ones or below one.
  ///
  /// - Parameters:
  ///   - names: The directory's paths: with and without symbolic links.
  ///   - excluded: The paths of the excluded directories, likewise.
  package static func applies(to names: [String], excluded: [String]) -> Bool {
    let folders = excluded.map(components)
    return names.contains { name in folders.contains { components(name).starts(with: $0) } }
  }

  // By bytes, because to `String` two ways to write `é` are equal, but they are two directories.
  private static func components(_ path: String) -> [[UInt8]] {
    path.utf8.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }.map(Array.init)
  }
}
