// SPDX-License-Identifier: Apache-2.0

import Dispatch
import EventLoop
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

  /// Whether the other side has taken all lines.
  package var isEmpty: Bool { waiting == 0 }

  package func write(_ json: JSON) {
    guard waiting < Self.limit else { return }
    waiting += 1
    let bytes = json.bytes + [0x0A]
    queue.async { [descriptor, weak self] in
      let isWritten = (try? Descriptor.write(bytes[...], to: descriptor)) != nil
      Task { @Loop in
        self?.waiting -= 1
        if !isWritten { self?.failed() }
      }
    }
  }
}
