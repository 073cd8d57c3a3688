import Foundation

/// What the app on the other side reads.
///
/// As Apple's streams, with the differences that `ContinuationInputStream` tells; closed by another thread than the one
/// that writes, ``write(_:maxLength:)`` returns -1.
package final class ContinuationOutputStream: OutputStream {
  private let core: StreamCore

  init(_ core: StreamCore) {
    self.core = core
    super.init(toMemory: ())
    core.setStream(self)
  }

  /// Foundation's initializer of a stream into memory, which this is not: a stream that is closed.
  package required init(toMemory: ()) {
    core = StreamCore()
    super.init(toMemory: ())
  }

  deinit { core.close() }

  /// Lets writing begin; once, and not after ``close()``.
  package override func open() { core.open() }

  /// Ends this direction: the other app reads what was written, and then the end.
  package override func close() { core.close() }

  /// Blocks until at least one byte was taken; the socket and the other machine may be busy for any time.
  ///
  /// Where the stream broke, it also waits until it is known why, for `Limits.streamOutcomeTime` at most; not on a thread
  /// whose run loop the stream is scheduled on.
  ///
  /// - Returns: How many bytes were taken, fewer than `length` where the socket is full; 0 where `length` is; -1 before
  ///   ``open()``, after ``close()``, and where the stream broke, with the reason in ``streamError``.
  package override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
    core.write(buffer, length)
  }

  /// Whether ``write(_:maxLength:)`` would not block for space.
  package override var hasSpaceAvailable: Bool { core.isWritable }

  package override var streamStatus: Status { core.status }

  /// Why the stream broke; nil where it did not. Where the reason is not known yet, one that says that the connection is
  /// gone.
  package override var streamError: (any Error)? { core.error }

  /// As `ContinuationInputStream`'s.
  package override var delegate: (any StreamDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// As `ContinuationInputStream`'s.
  package override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.schedule(runLoop, mode) }

  package override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.unschedule(runLoop, mode) }

  /// There are none.
  package override func property(forKey key: PropertyKey) -> AnyObject? { nil }

  /// There are none.
  package override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }
}
