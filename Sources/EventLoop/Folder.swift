import Glibc

/// Lists folders.
package enum Folder {
  /// The names in a folder except `.` and `..`; empty if it cannot be read.
  ///
  /// - Parameter limit: The maximum number of names.
  package static func names(in path: String, limit: Int = .max) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      // The structure is only as long as its name, so it must not be copied.
      let pointer = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let name = String(cString: pointer.assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
