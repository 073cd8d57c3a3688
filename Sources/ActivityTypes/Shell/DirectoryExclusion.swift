/// Directories of which nothing is told.
package enum DirectoryExclusion {
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
