import Activity
import EventLoop
import Glibc

/// Reads what nobody wants any more, so that the other side's writes and the bytes on their way to it do not suffer.
///
/// Lives, by itself, until the other side ends; or `Limits.streamDrainTime` after ``finish()``.
@Loop
final class StreamDrain {
  private var readiness: Readiness?
  private var timer: Timer?

  /// Bytes read at once: what a socket holds by default, and somewhat more.
  private static let bufferLength = 256 * 1024

  /// - Parameter descriptor: Owned from here on.
  nonisolated init(owning descriptor: Int32) {
    Task { @Loop in start(descriptor) }
  }

  /// Nothing goes the other way any more either. Any thread.
  nonisolated func finish() {
    Task { @Loop in limit() }
  }

  private func start(_ descriptor: Int32) {
    let readiness = Readiness(owning: descriptor)
    self.readiness = readiness
    // Holds this object until `stop`.
    readiness.onReadable = { self.drop(descriptor) }
    readiness.isReading = true
  }

  private func limit() {
    guard let readiness, !readiness.isClosed else { return }
    timer = Timer { [weak self] in self?.stop() }
    timer?.set(Loop.now + Limits.streamDrainTime)
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
