import CLinux
import Glibc

/// Which file it is, of all that have ever had its name: a copy that was put in its place, with whatever times and owner, is
/// another one.
enum FileOrigin {
  /// The file system, the file's number there, and when it was made, which nobody can set. Where the file has a second name,
  /// as in a copy that is made of links, it is no text of any file.
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
    guard origin.links == 1 else { return "linked" }
    return "\(origin.device)-\(origin.number)-\(origin.seconds).\(origin.nanoseconds)"
  }
}
