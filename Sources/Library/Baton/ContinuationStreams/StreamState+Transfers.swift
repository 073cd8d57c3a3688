// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation

extension StreamState {
  mutating func read(into buffer: UnsafeMutablePointer<UInt8>, _ length: Int) -> Attempt {
    guard status == .open, let socket else { return .done(status == .atEnd ? 0 : -1) }
    if !leftover.isEmpty {
      let part = leftover.prefix(length)
      _ = UnsafeMutableBufferPointer(start: buffer, count: part.count).update(fromContentsOf: part)
      leftover = leftover.dropFirst(part.count)
      isArmed = true
      return .done(part.count)
    }
    switch socket.receive(into: buffer, length) {
    case .moved(let count):
      isArmed = true
      return .done(count)
    case .wouldBlock: return .blocked(socket)
    case .over:
      settleInput()
      if status == .open, let deadline { return .unsettled(until: deadline) }
      return .done(status == .atEnd ? 0 : -1)
    case .failed(let code):
      fail(StreamFailure.system(SystemError("recv", code)))
      return .done(-1)
    }
  }

  mutating func write(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> Attempt {
    guard status == .open, let socket else { return .done(-1) }
    switch socket.send(bytes, length) {
    case .moved(let count):
      isArmed = true
      return .done(count)
    case .wouldBlock: return .blocked(socket)
    case .over:
      fail(nil)
      if error == nil, let deadline { return .unsettled(until: deadline) }
    case .failed(let code): fail(StreamFailure.system(SystemError("send", code)))
    }
    return .done(-1)
  }

  /// Ends the stream, which has no more bytes, if it is known how it ended.
  mutating func settleInput() {
    switch inputEnding() {
    case .whole: end()
    case .broken(let reason): fail(reason)
    case nil: break
    }
  }

  /// Whether reading would not block.
  mutating func isReadable() -> Bool {
    guard status == .open, let socket else { return false }
    if !leftover.isEmpty { return true }
    switch socket.peek() {
    case .moved, .failed: return true
    case .wouldBlock: return false
    case .over: return inputEnding() != nil
    }
  }
}
