// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import Desktop
import EventLoop
import Glibc

/// The program that sees and sets the desktop's selection, so that the agent needs no libraries of desktops.
@Loop
final class SelectionHelper {
  enum Event {
    case said(HelperEvent)
    /// It has ended, or says what makes no sense. Nothing follows.
    case ended
  }

  private let channel: Channel
  private let child: ChildProgram
  private var decoder = HelperDecoder()
  private var handler: (@Loop (Event) -> Void)?

  /// - Parameters:
  ///   - path: The program's.
  ///   - environment: With the desktop's variables.
  ///   - handler: Never called before this returns.
  init(path: String, _ environment: [String], handler: @escaping @Loop (Event) -> Void) throws(SystemError) {
    var ends: [Int32] = [0, 0]
    let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, flags, 0, &ends) == 0 else { throw SystemError("socketpair") }
    defer { _ = Glibc.close(ends[1]) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    channel = Channel(owning: ends[0])
    self.handler = handler
    var options = ChildProgram.Options(environment: environment)
    (options.standardInput, options.standardOutput) = (ends[1], ends[1])
    child = try ChildProgram([path], options)
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] _ in self?.end() }
    channel.isReading = true
  }

  isolated deinit { close() }

  /// Ends the program. The handler is no longer called.
  func close() {
    handler = nil
    channel.close()
    child.kill(SIGTERM)
  }

  func tell(_ command: HelperCommand) { channel.write(command.bytes) }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    do throws(HelperDecoder.Malformed) {
      for event in try decoder.receive(Array(bytes)[...]) { handler?(.said(event)) }
    } catch {
      end()
    }
  }

  private func end() {
    let handler = handler
    close()
    handler?(.ended)
  }
}
