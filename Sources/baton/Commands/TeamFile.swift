import Activity
import EventLoop
import Glibc

/// The files of the offline way to join.
enum TeamFile {
  /// - Parameters:
  ///   - path: nil and `-` are standard input.
  ///   - reason: What a file that is too long or no text is.
  static func read(_ path: String?, orElse reason: Reason) throws -> String {
    do {
      let descriptor: Int32
      if let path, path != "-" {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError(path) }
      } else {
        descriptor = STDIN_FILENO
      }
      defer { if descriptor != STDIN_FILENO { _ = close(descriptor) } }
      let bytes = try Descriptors.readAll(descriptor, limit: Limits.enrolmentFileLength)
      guard bytes.count <= Limits.enrolmentFileLength, let text = String(validating: bytes, as: UTF8.self) else {
        throw CommandError(reason)
      }
      return text
    } catch let error as SystemError {
      throw CommandError(.failure, "\(error)")
    }
  }
}
