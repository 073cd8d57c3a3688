// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventLoop
import Glibc

/// Reports the end of a session: a client of tmux that shows nothing (control mode) is told of it.
@Loop
final class SessionWatch {
  private let session: TmuxSession
  private var child: ChildProgram?
  private var output: Readiness?
  private var input: Int32 = -1
  private var timer: EventLoop.Timer?
  private let onEnd: @Loop () -> Void

  /// The pause before another client, if somebody has detached this one: `tmux attach -d` detaches all others.
  private static let pause = Duration.seconds(1)

  init(_ session: TmuxSession, onEnd: @escaping @Loop () -> Void) {
    (self.session, self.onEnd) = (session, onEnd)
    timer = EventLoop.Timer { [weak self] in self?.begin() }
    begin()
  }

  isolated deinit { close() }

  func close() {
    timer = nil
    release()
  }

  private func release() {
    child?.onEnd = nil
    child?.kill(SIGTERM)
    child = nil
    output?.close()
    output = nil
    if input >= 0 { _ = Glibc.close(input) }
    input = -1
  }

  private func begin() {
    var reading: [Int32] = [-1, -1]
    var writing: [Int32] = [-1, -1]
    guard pipe(&reading) == 0 else { return again() }
    guard pipe(&writing) == 0 else {
      for end in reading { _ = Glibc.close(end) }
      return again()
    }
    for end in reading + writing { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(writing[0], F_SETFL, O_NONBLOCK)
    // The client ends when its input ends, so it does not outlive this process.
    input = reading[1]
    let output = Readiness(owning: writing[0])
    self.output = output
    output.onReadable = { [weak self] in self?.discard() }
    output.isReading = true
    var options = ChildProgram.Options(environment: Tmux.environment)
    (options.standardInput, options.standardOutput) = (reading[0], writing[1])
    options.standardError = writing[1]
    let flags = "ignore-size,no-output,read-only"
    let words = try? session.tmux.words(["-C", "attach-session", "-E", "-f", flags, "-t", session.id])
    child = words.flatMap { try? ChildProgram($0, options) }
    _ = Glibc.close(reading[0])
    _ = Glibc.close(writing[1])
    guard let child else { return again() }
    child.onEnd = { [weak self] _ in self?.ended() }
  }

  private func discard() {
    guard let output else { return }
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(output.descriptor, &buffer, buffer.count)
    if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { output.isReading = false }
  }

  private func ended() {
    child = nil
    release()
    let session = session
    TerminalHost.queue.async {
      let exists = session.exists
      Task { @Loop [weak self] in
        guard let self, timer != nil else { return }
        exists ? again() : onEnd()
      }
    }
  }

  private func again() {
    release()
    timer?.set(Loop.now + Self.pause)
  }
}
