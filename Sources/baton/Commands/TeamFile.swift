import Activity
import EventLoop
import Glibc

/// The files of the offline way to join, and backups.
enum TeamFile {
  /// - Parameters:
  ///   - path: nil and `-` are standard input.
  ///   - limit: Bytes of it at most.
  ///   - reason: What a file that is too long or no text is.
  static func read(_ path: String?, limit: Int = Limits.enrolmentFileLength, orElse reason: Reason) throws -> String {
    do {
      let descriptor: Int32
      if let path, path != "-" {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(path) }
      } else {
        descriptor = STDIN_FILENO
      }
      defer { if descriptor != STDIN_FILENO { _ = close(descriptor) } }
      let bytes = try Descriptors.readAll(descriptor, limit: limit)
      guard bytes.count <= limit, let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandError(reason)
      }
      return text
    } catch let error as SystemError {
      throw CommandError(.failure, "\(error)")
    }
  }
}
