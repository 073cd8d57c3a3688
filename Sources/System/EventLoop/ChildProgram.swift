// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// A program that this process started, until it ends. It leads its own session, and has no terminal unless it is given
/// one. If this object is released, the program keeps running and is still reaped.
@Loop
package final class ChildProgram {
  package struct Options: Sendable {
    /// `NAME=value`.
    package var environment: [String] = []
    package var directory: String?
    /// What the program reads; nil for nothing. This object does not close it.
    package var standardInput: Int32?
    /// Where the program writes; nil for where we write.
    package var standardOutput: Int32?
    package var standardError: Int32?
    /// The path of the terminal that becomes the program's own, and that it reads and writes.
    package var terminal: String?

    package init(environment: [String] = [], directory: String? = nil) {
      self.environment = environment
      self.directory = directory
    }
  }

  package let identifier: pid_t
  /// Called once when the program has ended: with its exit status, or with 128 plus the number of the signal that ended
  /// it.
  package var onEnd: (@Loop (Int32) -> Void)?
  private let readiness: Readiness
  private var hasEnded = false

  /// - Parameter arguments: The first is the path of the program.
  /// - Throws: If the program cannot be started.
  package init(_ arguments: [String], _ options: Options) throws(SystemError) {
    identifier = try Self.spawn(arguments, options)
    let descriptor = clinux_process_descriptor(identifier)
    guard descriptor >= 0 else {
      let error = SystemError("pidfd_open")
      Glibc.kill(identifier, SIGKILL)
      _ = Self.reap(identifier, 0)
      throw error
    }
    readiness = Readiness(owning: descriptor)
    // The object stays until the program has ended, because somebody must reap it.
    readiness.onReadable = { self.ended() }
    readiness.isReading = true
  }

  /// Sends a signal to the program if it has not ended.
  package func kill(_ signal: Int32 = SIGKILL) {
    if !hasEnded { Glibc.kill(identifier, signal) }
  }

  private func ended() {
    guard let status = Self.reap(identifier, WNOHANG) else { return }
    hasEnded = true
    readiness.close()
    let handler = onEnd
    onEnd = nil
    handler?(Self.exitStatus(status))
  }

  /// Returns the exit status that shells know for a status of waitpid(2): 128 plus its number for a signal.
  nonisolated private static func exitStatus(_ status: Int32) -> Int32 {
    status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + status & 0x7F
  }

  nonisolated private static func reap(_ identifier: pid_t, _ options: Int32) -> Int32? {
    var status: Int32 = 0
    while true {
      let result = waitpid(identifier, &status, options)
      if result == identifier { return status }
      // Nobody else waits for the program. If somebody did, it has ended.
      if result < 0, errno != EINTR { return 0 }
      if result == 0 { return nil }
    }
  }

  /// Starts a program, which the caller has to reap.
  nonisolated package static func spawn(_ arguments: [String], _ options: Options) throws(SystemError) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let terminal = options.terminal {
      // The leader of a session gets the first terminal that it opens.
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
      posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
    } else if let input = options.standardInput {
      posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
    } else {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    }
    if let output = options.standardOutput { posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) }
    if let error = options.standardError { posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO) }
    if let directory = options.directory { clinux_spawn_change_directory(&actions, directory) }
    clinux_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // We hold some signals and ignore others, and a child would inherit that.
    var none = sigset_t()
    var all = sigset_t()
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Int32(CLINUX_SPAWN_NEW_SESSION)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let path = arguments.first ?? ""
    var identifier: pid_t = 0
    let code = withCStrings(arguments) { argv in
      withCStrings(options.environment) { posix_spawn(&identifier, path, &actions, &attributes, argv, $0) }
    }
    guard code == 0 else { throw SystemError("posix_spawn \(path)", code) }
    return identifier
  }

  /// Waits on this thread until a program that `spawn` started has ended. After the deadline, it is killed, with its
  /// whole process group.
  ///
  /// - Returns: Its exit status. Nil if it was killed.
  nonisolated package static func wait(for identifier: pid_t, until deadline: ContinuousClock.Instant) -> Int32? {
    let descriptor = clinux_process_descriptor(identifier)
    defer { if descriptor >= 0 { close(descriptor) } }
    let hasEnded = descriptor >= 0 && Descriptor.wait(descriptor, for: POLLIN, until: deadline)
    if !hasEnded { Glibc.kill(-identifier, SIGKILL) }
    let status = reap(identifier, 0)
    return hasEnded ? status.map(exitStatus) : nil
  }

  nonisolated private static func withCStrings<T>(
    _ strings: [String],
    _ body: ([UnsafeMutablePointer<CChar>?]) -> T
  ) -> T {
    let copies = strings.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies + [nil])
  }
}
