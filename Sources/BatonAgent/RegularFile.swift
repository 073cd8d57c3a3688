import Glibc

/// The beginning of a regular file. A pipe or a device in its place does not block the reader.
package struct RegularFile {
  package let bytes: [UInt8]
  package let owner: uid_t
  /// The modification time, in seconds since 1970-01-01 00:00:00 UTC.
  package let time: Double

  /// Nil if it is not a regular file or cannot be opened.
  ///
  /// - Parameter length: The maximum number of bytes to read.
  package init?(_ path: String, length: Int) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while bytes.count < length {
      let count = read(descriptor, &buffer, min(buffer.count, length - bytes.count))
      guard count > 0 else { break }
      bytes += buffer.prefix(count)
    }
    self.bytes = bytes
    owner = status.st_uid
    time = Double(status.st_mtim.tv_sec)
  }
}
