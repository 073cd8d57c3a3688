// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The stream of bytes that the app on the other side writes.
///
/// It behaves like Apple's streams, with these differences. Any thread may use it. A thread other than the one that
/// reads may close it, and ``read(_:maxLength:)`` then returns -1. ``streamError`` never traps. ``streamStatus`` is
/// never `.opening` or `.reading`.
package final class ContinuationInputStream: InputStream {
  private let core: StreamCore

  init(_ core: StreamCore) {
    self.core = core
    super.init(data: Data())
    core.setStream(self)
  }

  deinit { core.release() }

  /// Opens the stream for reading. Works once, and not after ``close()``.
  package override func open() { core.open() }

  /// Stops reading. Data that the other app still writes is discarded, so that the other direction can end properly.
  /// Once the output stream is also closed, this lasts at most `StreamDrain.streamDrainTime`; then the other app's
  /// writes fail. If the stream is only released before its end was read, both apps get an error.
  package override func close() { core.close() }

  /// Blocks until there is at least one byte, the end, or an error.
  ///
  /// At the end of the socket, it also waits until it is known how the stream ended, because the end of a broken stream
  /// looks like any other. It waits at most `StreamOutcome.streamOutcomeTime`, even if the stream is closed in the
  /// meantime.
  ///
  /// - Returns: The number of bytes that were read; 0 at the end. -1 before ``open()`` and after ``close()``, and if
  ///   the stream broke; the reason is in ``streamError``.
  package override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
    core.read(into: buffer, length)
  }

  /// Whether ``read(_:maxLength:)`` would return bytes, or an end or error that it has not returned yet, without
  /// blocking.
  package override var hasBytesAvailable: Bool { core.isReadable }

  /// Lends a buffer, if the stream has one. This one has none.
  ///
  /// - Returns: False.
  package override func getBuffer(
    _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>,
    length: UnsafeMutablePointer<Int>
  ) -> Bool { false }

  package override var streamStatus: Status { core.status }

  /// Why the stream broke. Nil if it did not.
  package override var streamError: (any Error)? { core.error }

  /// The delegate, which receives events on the run loops on which the stream is scheduled. It is not retained. It is
  /// nil if none was set, as in Foundation for Linux.
  package override var delegate: (any StreamDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// Sends the delegate events whenever the run loop runs in the mode. Can be called before or after ``open()``.
  package override func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.schedule(runLoop, mode) }

  package override func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) { core.unschedule(runLoop, mode) }

  /// Returns nil, because there are no properties.
  package override func property(forKey key: PropertyKey) -> AnyObject? { nil }

  /// Returns false, because there are no properties.
  package override func setProperty(_ property: AnyObject?, forKey key: PropertyKey) -> Bool { false }
}
