// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Reads bytes that nobody needs, so that neither the other side's writes nor the bytes on their way to it suffer.
///
/// It keeps itself alive until the other side ends, or until `streamDrainTime` after ``finish()``.
@Loop
final class StreamDrain {
  /// How long incoming bytes are discarded after an app has closed both its streams. Closing a socket with unread bytes
  /// would discard what the other side has not read.
  private static let streamDrainTime = Duration.seconds(2)

  private var readiness: Readiness?
  private var timer: EventLoop.Timer?

  /// The number of bytes to read at a time: a little more than what a socket holds by default.
  private static let bufferLength = 256 * 1024

  /// - Parameter descriptor: The socket to read. This object takes ownership of it.
  nonisolated init(owning descriptor: Int32) {
    Task { @Loop in start(descriptor) }
  }

  /// Limits the time, because nothing goes in the other direction either. Any thread may call this.
  nonisolated func finish() {
    Task { @Loop in limit() }
  }

  private func start(_ descriptor: Int32) {
    let readiness = Readiness(owning: descriptor)
    self.readiness = readiness
    // This retains the object until `stop`.
    readiness.onReadable = { self.drop(descriptor) }
    readiness.isReading = true
  }

  private func limit() {
    guard let readiness, !readiness.isClosed else { return }
    timer = Timer { [weak self] in self?.stop() }
    timer?.set(Loop.now + Self.streamDrainTime)
  }

  private func drop(_ descriptor: Int32) {
    let count = withUnsafeTemporaryAllocation(byteCount: Self.bufferLength, alignment: 1) {
      recv(descriptor, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
    }
    if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { stop() }
  }

  private func stop() {
    readiness?.close()
    timer?.set(nil)
  }
}
