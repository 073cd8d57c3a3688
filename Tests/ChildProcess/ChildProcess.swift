// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A program that a test starts. It replaces Foundation's `Process`, which copies whole `dirent` structures out of the
/// buffer of `readdir` when it looks for open descriptors. If there are thousands of descriptors, it reads past the end
/// of that buffer.
public final class ChildProcess: Sendable {
  public struct Failure: Error {
    public let call: String
    public let code: Int32
  }

  public let processIdentifier: pid_t

  /// - Parameters:
  ///   - arguments: The first one is the path of the program.
  ///   - environment: Entries of the form `NAME=value`; nil for this process's own.
  ///   - standardInput, standardOutput, standardError: The program's descriptors; nil for /dev/null.
  public init(
    _ arguments: [String],
    environment: [String]? = nil,
    standardInput: Int32? = nil,
    standardOutput: Int32? = nil,
    standardError: Int32? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, source) in [standardInput, standardOutput, standardError].enumerated() {
      if let source {
        posix_spawn_file_actions_adddup2(&actions, source, Int32(target))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(target), "/dev/null", O_RDWR, 0)
      }
    }
    _ = Self.closeFrom?(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Dispatch's threads block all signals, tests ignore some, and a child inherits both.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    processIdentifier = try Self.withCStrings(arguments) { argv in
      var identifier: pid_t = 0
      let code =
        if let environment {
          Self.withCStrings(environment) { posix_spawn(&identifier, arguments[0], &actions, &attributes, argv, $0) }
        } else {
          posix_spawn(&identifier, arguments[0], &actions, &attributes, argv, environ)
        }
      guard code == 0 else { throw Failure(call: "posix_spawn \(arguments[0])", code: code) }
      return identifier
    }
  }

  /// Blocks until the program has ended. Call it once.
  ///
  /// - Returns: The exit status, or 128 plus the signal's number if a signal ended the program.
  public func waitUntilExit() -> Int32 {
    var status: Int32 = 0
    while waitpid(processIdentifier, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  public func send(_ signal: Int32) { kill(processIdentifier, signal) }

  /// Returns a pipe whose ends no other program inherits.
  public static func pipe() throws -> (reading: Int32, writing: Int32) {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { throw Failure(call: "pipe", code: errno) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// Reads to the end, and closes the descriptor.
  public static func readToEnd(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { bytes += buffer[..<count] } else if count == 0 || errno != EINTR { break }
    }
    close(descriptor)
    return bytes
  }

  /// Writes as many of the bytes as the descriptor takes.
  public static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }

  /// `posix_spawn_file_actions_addclosefrom_np`, which the Glibc module lacks. It closes all other descriptors in the
  /// program.
  private typealias CloseFrom = @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32
  private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast($0, to: CloseFrom.self)
  }

  private static func withCStrings<T>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) throws -> T
  ) rethrows -> T {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return try body(copies + [nil])
  }
}
