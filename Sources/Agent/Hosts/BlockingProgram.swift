// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Runs a program without input, and waits for it on this thread.
package enum BlockingProgram {
  package struct Result {
    /// The exit status. Nil if the program wrote or took too much, and was killed.
    package let status: Int32?
    /// What it wrote to its standard output, and to its standard error if that was wanted.
    package let output: [UInt8]
  }

  /// - Parameters:
  ///   - words: The first is the path of the program.
  ///   - options: Where the program writes is not among them.
  ///   - withErrors: False: the program's standard error is dropped.
  ///   - limit: The maximum length of the output in bytes.
  ///   - time: How long the program may take.
  /// - Throws: If it cannot be started.
  package static func run(
    _ words: [String],
    _ options: ChildProgram.Options,
    withErrors: Bool = false,
    limit: Int,
    time: Duration
  ) throws(SystemError) -> Result {
    let deadline = ContinuousClock.now + time
    let (process, output) = try start(words, options, withErrors)
    defer { close(output) }
    var bytes: [UInt8] = []
    let isWhole = read(output, into: &bytes, limit, until: deadline)
    // Others in its group may hold the output, even if it has ended. Its number is taken until it is reaped.
    if !isWhole { kill(-process, SIGKILL) }
    let status = ChildProgram.wait(for: process, until: isWhole ? deadline : .now)
    return Result(status: isWhole ? status : nil, output: bytes)
  }

  /// - Returns: The process, and what reads its output.
  private static func start(
    _ words: [String],
    _ options: ChildProgram.Options,
    _ withErrors: Bool
  ) throws(SystemError) -> (process: pid_t, output: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SystemError("pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    defer { for end in [ends[1], nowhere] where end >= 0 { close(end) } }
    var options = options
    options.standardOutput = ends[1]
    options.standardError = withErrors ? ends[1] : nowhere
    do throws(SystemError) {
      guard nowhere >= 0 else { throw SystemError("/dev/null") }
      return (try ChildProgram.spawn(words, options), ends[0])
    } catch {
      close(ends[0])
      throw error
    }
  }

  /// - Returns: Whether the end was reached.
  private static func read(
    _ descriptor: Int32,
    into output: inout [UInt8],
    _ limit: Int,
    until deadline: ContinuousClock.Instant
  ) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    while Descriptor.wait(descriptor, for: POLLIN, until: deadline) {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count == 0 }
      guard output.count + count <= limit else { return false }
      output += buffer[..<count]
    }
    return false
  }
}
