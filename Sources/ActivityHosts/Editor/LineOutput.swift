import Dispatch
import EventLoop
import Glibc
import JSONCoding

/// Lines of JSON to a descriptor that may block.
@Loop
package final class LineOutput {
  private let descriptor: Int32
  private let queue = DispatchQueue(label: "output")
  private let failed: @Loop @Sendable () -> Void
  /// The number of lines that the other side has not taken.
  private var waiting = 0

  /// The maximum number of these. An editor that has stopped gets no more.
  private static let limit = 256

  /// - Parameter failed: The other side takes no more lines.
  package init(_ descriptor: Int32, failed: @escaping @Loop @Sendable () -> Void) {
    (self.descriptor, self.failed) = (descriptor, failed)
  }

  package func write(_ json: JSON) {
    guard waiting < Self.limit else { return }
    waiting += 1
    let bytes = json.bytes + [0x0A]
    queue.async { [descriptor, weak self] in
      let isWritten = Self.write(bytes, to: descriptor)
      Task { @Loop in
        self?.waiting -= 1
        if !isWritten { self?.failed() }
      }
    }
  }

  private nonisolated static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var item = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&item, 1, -1)
      } else if errno != EINTR {
        return false
      }
    }
    return true
  }
}
