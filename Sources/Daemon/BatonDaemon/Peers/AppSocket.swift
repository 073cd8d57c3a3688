// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// The app's end of a stream.
@Loop
final class AppSocket {
  private let readiness: Readiness
  /// Reports each time that the app has read from its socket, or is gone.
  private var watch: Readiness?

  /// - Parameter descriptor: Non-blocking. This object takes ownership.
  init(owning descriptor: Int32, onReadable: @escaping @Loop () -> Void, onWritable: @escaping @Loop () -> Void) {
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = onReadable
    readiness.onWritable = onWritable
  }

  var descriptor: Int32 { readiness.descriptor }

  var isReading: Bool {
    get { readiness.isReading }
    set { readiness.isReading = newValue }
  }

  var isWriting: Bool {
    get { readiness.isWriting }
    set { readiness.isWriting = newValue }
  }

  var hasHungUp: Bool { Sockets.hasHungUp(descriptor) }

  var delivery: Sockets.Delivery { Sockets.delivery(of: descriptor) }

  /// Tells the app that there is no more to read.
  func end() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Calls `handler` for the present state, and again whenever the app has read or is gone.
  ///
  /// - Returns: Whether this worked. Calling it again does nothing.
  func watch(_ handler: @escaping @Loop () -> Void) -> Bool {
    guard watch == nil else { return true }
    guard let copy = duplicate() else { return false }
    let watch = Readiness(owning: copy, tellsChanges: true)
    watch.onWritable = handler
    watch.isWriting = true
    self.watch = watch
    return true
  }

  func stopWatching() { watch?.close() }

  /// Returns another descriptor of the socket, which the caller must close; nil if there are too many descriptors.
  func duplicate() -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    return copy >= 0 ? copy : nil
  }

  func close() {
    watch?.close()
    readiness.close()
  }
}
