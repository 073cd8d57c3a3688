// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// An app that uses the streams with a run loop: it writes when there is space, and reads when there are bytes.
// Unchecked: events arrive on one thread, and the test reads the values there or after that thread has finished.
package final class Conversation: StreamDelegate, @unchecked Sendable {
  package private(set) var received: [UInt8] = []
  package private(set) var inputEvents: [Stream.Event] = []
  package private(set) var outputEvents: [Stream.Event] = []
  package private(set) var threads: Set<ObjectIdentifier> = []
  /// Called for each event.
  package var onEvent: ((Stream, Stream.Event) -> Void)?
  /// Whether it reads when there are bytes.
  package var reads = true
  /// Whether it closes the output when everything is sent.
  package var closesOutput = true
  private var unsent: ArraySlice<UInt8>

  package init(sending bytes: [UInt8] = []) { unsent = bytes[...] }

  package var isOver: Bool { inputEvents.contains { $0 == .endEncountered || $0 == .errorOccurred } && unsent.isEmpty }

  package func stream(_ stream: Stream, handle event: Stream.Event) {
    threads.insert(ObjectIdentifier(Thread.current))
    if let input = stream as? InputStream {
      inputEvents.append(event)
      if event == .hasBytesAvailable, reads { read(input) }
    } else if let output = stream as? OutputStream {
      outputEvents.append(event)
      if event == .hasSpaceAvailable { write(output) }
    }
    onEvent?(stream, event)
  }

  private func read(_ input: InputStream) {
    var buffer = [UInt8](repeating: 0, count: 10_000)
    let count = input.read(&buffer, maxLength: buffer.count)
    received += buffer.prefix(max(0, count))
  }

  private func write(_ output: OutputStream) {
    let count = unsent.prefix(100_000).withUnsafeBufferPointer { bytes in
      bytes.baseAddress.map { output.write($0, maxLength: bytes.count) } ?? 0
    }
    unsent = unsent.dropFirst(max(0, count))
    if unsent.isEmpty, closesOutput { output.close() }
  }
}

/// Runs this thread's run loop until the condition holds. As in apps, the run loop must return after each event.
package func runLoop(_ claim: String, mode: RunLoop.Mode = .default, until condition: () -> Bool) throws {
  let deadline = Date(timeIntervalSinceNow: TimeInterval(patience.components.seconds))
  while !condition() {
    guard RunLoop.current.run(mode: mode, before: deadline) else { throw TestFailure("Nothing to wait for: \(claim)") }
    guard deadline > Date() else { throw TestFailure("Not in time: \(claim)") }
  }
}
