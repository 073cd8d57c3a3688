// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Localization

/// The files for joining offline, and backups.
enum TeamFile {
  /// - Parameters:
  ///   - path: Nil and `-` stand for standard input.
  ///   - limit: The maximum length, in bytes.
  ///   - reason: The reason to report if the file is too long or is not text.
  static func read(_ path: String?, limit: Int = Limits.enrolmentFileLength, orElse reason: Reason) throws -> String {
    let name = path == "-" ? nil : path
    do {
      let bytes = try readAll(name, limit + 1)
      guard bytes.count <= limit else {
        throw CommandError(
          reason,
          localized("\(name ?? standardInput) is too long: at most \(limit) bytes are allowed.")
        )
      }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw CommandError(reason) }
      return text
    } catch let error as SystemError {
      throw CommandError(.failure, "\(name ?? standardInput): \(String(cString: strerror(error.code)))")
    }
  }

  private static var standardInput: String { localized("Standard input") }

  private static func readAll(_ path: String?, _ limit: Int) throws -> [UInt8] {
    guard let path else { return try Descriptor.readAll(STDIN_FILENO, limit: limit) }
    // A pipe that nobody writes to must not block us.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SystemError("open") }
    defer { close(descriptor) }
    let bytes = try Descriptor.readAll(descriptor, limit: limit)
    var status = stat()
    if bytes.isEmpty, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
      throw CommandError(.failure, localized("\(path) is a pipe that no program is writing to."))
    }
    return bytes
  }
}
