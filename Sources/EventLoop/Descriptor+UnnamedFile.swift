import Glibc

extension Descriptor {
  /// O_TMPFILE, which Glibc declares for _GNU_SOURCE only.
  private static let unnamed = 0o20000000 | O_DIRECTORY

  /// Makes a file in a directory that has no name yet, and is gone with its descriptor until it gets one.
  ///
  /// - Returns: -1 with `errno`.
  package static func ofUnnamedFile(in directory: String, mode: mode_t) -> Int32 {
    open(directory, unnamed | O_RDWR | O_CLOEXEC, mode)
  }
}
