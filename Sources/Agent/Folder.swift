import Glibc

/// What is in a folder.
enum Folder {
  /// All but `.` and `..`; empty where it cannot be read.
  ///
  /// - Parameter limit: How many at most.
  static func names(in path: String, limit: Int = .max) -> [String] {
    guard let stream = opendir(path) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while names.count < limit, let entry = readdir(stream) {
      // The structure is as long as its name: it must not be copied.
      let pointer = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 0)
      let name = String(cString: pointer.assumingMemoryBound(to: CChar.self))
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
