// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The stream of bytes that the app on the other side reads.
///
/// It behaves like Apple's streams, with the differences that `ContinuationInputStream` lists. If another thread than
/// the one that writes closes it, ``write(_:maxLength:)`` returns -1.
package final class ContinuationOutputStream: OutputStream {
  private let core: StreamCore

  init(_ core: StreamCore) {
    self.core = core
    super.init(toMemory: ())
    core.setStream(self)
  }

  /// Creates a closed stream. This is Foundation's initializer for a stream into memory, which this is not.
  package required init(toMemory: ()) {
    core = StreamCore()
    super.init(toMemory: ())
  }

  deinit { core.release() }

  /// Opens the stream for writing. Works once, and not after ``close()``.
  package override func open() { core.open() }

  /// Ends this direction. The other app reads what was written, and then the end. Nothing else ends it: if the stream
  /// is only released, both apps get an error.
  package override func close() { core.close() }

  /// Blocks until at least one byte was taken. The socket and the other machine may be busy for any length of time.
  ///
  /// If the stream broke, it also waits until the reason is known, for at most `StreamOutcome.streamOutcomeTime`. It
  /// does not wait for that on a thread whose run loop the stream is scheduled on.
  ///
  /// - Returns: The number of bytes that were taken: fewer than `length` if the socket is full, 0 if `length` is 0. -1
  ///   before ``open()`` and after ``close()``, and if the stream broke; the reason is in ``streamError``.
  package override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
    core.write(buffer, length)
  }

  /// Whether ``write(_:maxLength:)`` would not block for space.
  package override var hasSpaceAvailable: Bool { core.isWritable }

  package override var streamStatus: Status { core.status }

  /// Why the stream broke. Nil if it didn't. While the reason is unknown, an error for a lost connection.
  package override var streamError: (any Error)? { core.error }

  /// The delegate; see `ContinuationInputStream`.
  package override var delegate: (any StreamDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// Schedules the stream; see `ContinuationInputStream`.
  package override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.schedule(runLoop, mode) }

  package override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.unschedule(runLoop, mode) }

  /// Returns nil, because there are no properties.
  package override func property(forKey key: PropertyKey) -> AnyObject? { nil }

  /// Returns false, because there are no properties.
  package override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }
}
