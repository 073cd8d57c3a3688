import CLinux
import Glibc

/// Which file it is, of all that have ever had its name: a copy that was put in its place, with whatever times and owner, is
/// another one.
enum FileOrigin {
  /// The file system, the file's number there, and when it was made, which nobody can set. Of a file that is spent it is no
  /// text of any file.
  ///
  /// - Parameters:
  ///   - descriptor: Open.
  ///   - path: For the error.
  static func text(ofFile descriptor: Int32, _ path: String) throws(StorageError) -> String {
    var origin = CLinuxFileOrigin()
    guard clinux_file_origin(descriptor, "", &origin) == 0 else { throw StorageError("stat", path) }
    return text(origin)
  }

  static func text(ofFileAt path: String) throws(StorageError) -> String {
    var origin = CLinuxFileOrigin()
    guard clinux_file_origin(AT_FDCWD, path, &origin) == 0 else { throw StorageError("stat", path) }
    return text(origin)
  }

  private static func text(_ origin: CLinuxFileOrigin) -> String {
    guard origin.written != spent else { return "spent" }
    return "\(origin.device)-\(origin.number)-\(origin.seconds).\(origin.nanoseconds)"
  }

  /// When a file that is spent was written.
  private static let spent: Int64 = 0

  /// Marks the file under all names that it has: a copy that is made of links is the same file.
  static func spend(_ path: String) throws(StorageError) {
    try Files.setWrittenLongAgo(path)
  }
}
