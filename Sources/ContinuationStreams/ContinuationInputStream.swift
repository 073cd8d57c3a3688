import Foundation

/// What the app on the other side writes.
///
/// As Apple's streams, with these differences. It may be used by any thread, and closed by another than the one that
/// reads: then ``read(_:maxLength:)`` returns -1. ``streamError`` never traps. ``streamStatus`` knows no `.opening` and
/// `.reading`.
package final class ContinuationInputStream: InputStream {
  private let core: StreamCore

  init(_ core: StreamCore) {
    self.core = core
    super.init(data: Data())
    core.setStream(self)
  }

  deinit { core.close() }

  /// Lets reading begin; once, and not after ``close()``.
  package override func open() { core.open() }

  /// Gives up reading. What the other app still writes is dropped, so that the other direction can end as it should; when
  /// the output stream is closed too, for `Limits.streamDrainTime` at most, and then the other app's writes fail.
  package override func close() { core.close() }

  /// Blocks until there is at least one byte, the end, or an error.
  ///
  /// At the end of the socket it also waits until it is known how the stream ended, for `Limits.streamOutcomeTime` at
  /// most and even where the stream is closed meanwhile: a broken stream's end looks like any other.
  ///
  /// - Returns: How many bytes were read; 0 at the end; -1 before ``open()``, after ``close()``, and where the stream
  ///   broke, with the reason in ``streamError``.
  package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    core.read(into: buffer, length)
  }

  /// Whether ``read(_:maxLength:)`` would give bytes, or the end or an error that it did not give yet, without blocking.
  package override var hasBytesAvailable: Bool { core.isReadable }

  /// There is none to lend.
  ///
  /// - Returns: False.
  package override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    length: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  package override var streamStatus: Status { core.status }

  /// Why the stream broke; nil where it did not.
  package override var streamError: (any Error)? { core.error }

  /// Is told events on the run loops that the stream was scheduled on. Not retained; nil where there is none, as in
  /// Foundation for Linux.
  package override var delegate: (any StreamDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// Lets the delegate be told events whenever the run loop runs in the mode; before or after ``open()``.
  package override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.schedule(runLoop, mode) }

  package override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.unschedule(runLoop, mode) }

  /// There are none.
  package override func property(forKey key: PropertyKey) -> AnyObject? { nil }

  /// There are none.
  package override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }
}
