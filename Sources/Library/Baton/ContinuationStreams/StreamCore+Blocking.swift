// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Glibc

extension StreamCore {
  /// Reads like `ContinuationInputStream.read(_:maxLength:)`.
  func read(into buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Int {
    guard length > 0 else { return 0 }
    while true {
      switch state.withLock({ $0.read(into: buffer, length) }) {
      case .done(let count):
        refresh()
        return count
      case .blocked(let socket): wait(for: socket, POLLIN)
      case .unsettled(let deadline): _ = outcome.wait(until: deadline)
      }
    }
  }

  /// Writes like `ContinuationOutputStream.write(_:maxLength:)`.
  func write(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Int {
    guard length > 0 else { return 0 }
    while true {
      switch state.withLock({ $0.write(bytes, length) }) {
      case .done(let count):
        refresh()
        return count
      case .blocked(let socket): wait(for: socket, POLLOUT)
      case .unsettled(let deadline):
        // An app that receives events learns the reason from one. A run loop is not held up for it.
        if !isOnRunLoop { _ = outcome.wait(until: deadline) }
        refresh()
        return -1
      }
    }
  }

  var isReadable: Bool { state.withLock { $0.isReadable() } }

  var isWritable: Bool {
    guard status == .open, let socket else { return false }
    return socket.hasSpace
  }

  /// Blocks until the socket has one of the events or the stream is closed. Fails the stream if it cannot wait.
  private func wait(for socket: StreamSocket, _ events: Int32) {
    do throws(SystemError) {
      let wakeup = try state.withLock { (state) throws(SystemError) -> Wakeup? in
        // From here on, a thread that closes the stream finds the wakeup and uses it.
        guard state.status == .open else { return nil }
        if state.wakeup == nil { state.wakeup = try Wakeup() }
        return state.wakeup
      }
      wakeup?.wait(for: socket, events)
    } catch {
      fail(error)
    }
  }

  /// Whether the stream is scheduled on the run loop of the calling thread.
  private var isOnRunLoop: Bool { state.withLock(\.schedules).contains(where: \.isOnThisThread) }
}
