// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventLoop
import Glibc
import Synchronization

/// Lines from a descriptor that may be a pipe, a file or a terminal. Its flags stay as they are, because other programs
/// may use it, too.
package final class LineInput: Sendable {
  package enum Event: Equatable, Sendable {
    /// Without its end.
    case line([UInt8])
    /// A line that has more bytes than allowed. Nothing follows.
    case tooLong
    /// The input has ended. Nothing follows.
    case ended
  }

  /// In bytes: what a pipe holds.
  private static let bufferLength = 64 * 1024

  private let descriptor: Int32
  /// Whether there are bytes that were read, and whose lines the handler has not had.
  private let isPending = Mutex(false)

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Calls the function if all that has arrived was handled. Nothing is read meanwhile, so that a program which takes
  /// this one's place reads what comes next.
  package func whileAtRest(_ function: () -> Void) {
    _ = isPending.withLockIfAvailable { isPending in
      var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      if !isPending, poll(&item, 1, 0) == 0 { function() }
    }
  }

  /// Reads on a thread of its own until the end. It does not read on before the handler has had what there was.
  ///
  /// - Parameter limit: The maximum length of a line in bytes.
  @discardableResult
  package static func read(
    _ descriptor: Int32,
    limit: Int,
    _ handler: @escaping @Loop @Sendable (Event) -> Void
  ) -> LineInput {
    let input = LineInput(descriptor)
    DispatchQueue(label: "input").async {
      let turn = DispatchSemaphore(value: 0)
      var rest: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: bufferLength)
      var isOver = false
      while !isOver {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&item, 1, -1) > 0 else { continue }
        let (count, error) = input.isPending.withLock { isPending in
          let count = Glibc.read(descriptor, &buffer, buffer.count)
          let error = errno
          if count >= 0 || error != EINTR && error != EAGAIN { isPending = true }
          return (count, error)
        }
        if count < 0, error == EINTR || error == EAGAIN { continue }
        var events: [Event] = []
        rest += buffer[..<max(0, count)]
        var lines = rest.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        if let last = lines.popLast() { rest = Array(last) }
        for line in lines { events.append(line.count > limit ? .tooLong : .line(Array(line))) }
        // The last line may have no end.
        if count <= 0, !rest.isEmpty { events.append(rest.count > limit ? .tooLong : .line(rest)) }
        if rest.count > limit { events.append(.tooLong) }
        if let index = events.firstIndex(of: .tooLong) {
          events = Array(events[...index])
          isOver = true
        } else if count <= 0 {
          events.append(.ended)
          isOver = true
        }
        let isWhole = rest.isEmpty
        Task { @Loop [events] in
          for event in events { handler(event) }
          input.isPending.withLock { $0 = !isWhole }
          turn.signal()
        }
        turn.wait()
      }
    }
    return input
  }
}
