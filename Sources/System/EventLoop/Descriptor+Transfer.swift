// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Reading and writing on this thread, whether or not the descriptor is blocking.
extension Descriptor {
  /// Waits for bytes. Returns 0 at the end.
  package static func read(_ descriptor: Int32, into buffer: inout [UInt8]) throws(SystemError) -> Int {
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count < 0 else { return count }
      try wait(descriptor, for: POLLIN, after: "read")
    }
  }

  /// Reads until the end, or until there are `limit` bytes.
  package static func readAll(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(limit, 64 * 1024))
    while bytes.count < limit {
      let count = try read(descriptor, into: &buffer)
      if count == 0 { break }
      bytes += buffer.prefix(min(count, limit - bytes.count))
    }
    return bytes
  }

  /// Writes all the bytes.
  package static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { rest = rest.dropFirst(count) } else { try wait(descriptor, for: POLLOUT, after: "write") }
    }
  }

  /// Called after a call that failed. Waits if the call only needs to be repeated.
  private static func wait(_ descriptor: Int32, for events: Int32, after call: String) throws(SystemError) {
    switch errno {
    case EINTR: return
    case EAGAIN:
      var item = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      _ = poll(&item, 1, -1)
    default: throw SystemError(call)
    }
  }
}
