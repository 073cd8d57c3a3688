// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Runs a program for its output, up to a maximum length.
@Loop
final class ProgramOutput {
  enum Result {
    /// The program ended with this status; see ``ChildProgram/onEnd``.
    case ended(Int32, [UInt8])
    /// The program wrote more than the maximum.
    case tooLong
  }

  private let length: Int
  private let child: ChildProgram
  private let channel: Channel
  private var completion: (@Loop (Result) -> Void)?
  private var output: [UInt8] = []
  private var isAtEnd = false
  private var status: Int32?

  /// - Parameters:
  ///   - arguments: The first is the path of the program.
  ///   - length: The maximum length of the output, in bytes.
  ///   - completion: Called once, never before this returns, and not if it is cancelled.
  init(
    _ arguments: [String],
    _ environment: ProcessEnvironment,
    length: Int,
    completion: @escaping @Loop (Result) -> Void
  ) throws(SystemError) {
    self.length = length
    self.completion = completion
    let (reading, writing) = try Pipes.make()
    defer { close(writing) }
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    channel = Channel(owning: reading, pieceLength: 16 * 1024)
    var options = ChildProgram.Options(environment: environment.forApplication().list)
    options.standardOutput = writing
    child = try ChildProgram(arguments, options)
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] _ in
      self?.isAtEnd = true
      self?.finishIfOver()
    }
    channel.isReading = true
    child.onEnd = { [weak self] in
      self?.status = $0
      self?.finishIfOver()
    }
  }

  /// Kills the program.
  func cancel() {
    completion = nil
    channel.close()
    child.onEnd = nil
    child.kill()
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    output += bytes
    if output.count > length { finish(.tooLong) }
  }

  private func finishIfOver() {
    if isAtEnd, let status { finish(.ended(status, output)) }
  }

  private func finish(_ result: Result) {
    let completion = completion
    cancel()
    completion?(result)
  }
}
