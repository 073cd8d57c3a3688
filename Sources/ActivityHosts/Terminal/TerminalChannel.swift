import ActivityTypes
import EventLoop
import Glibc

/// A stream's socket with the frames of a live terminal. It holds at most about 64 KiB in each direction.
@Loop
final class TerminalChannel {
  /// Called for each frame.
  var onFrame: (@Loop (TerminalFrame) -> Void)?
  /// Called once when nothing more will arrive, or what arrives is no frame.
  var onEnd: (@Loop () -> Void)?
  /// Called when more can be sent after ``isFull`` was true.
  var onSpace: (@Loop () -> Void)?

  private let readiness: Readiness
  private var decoder = TerminalFrameDecoder()
  private var output = UnwrittenBytes()
  private var wasFull = false
  private var isFinishing = false

  private static let bufferLength = 64 * 1024

  /// - Parameter socket: A non-blocking descriptor, of which this object makes a duplicate.
  init(_ socket: Int32) throws(SystemError) {
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.onWritable = { [weak self] in self?.writable() }
    readiness.isReading = true
  }

  /// Whether nothing more should be sent until ``onSpace``.
  var isFull: Bool { output.count >= Self.bufferLength }

  /// False makes the other side wait. Frames of the piece that was read last are still reported.
  var isReading: Bool {
    get { readiness.isReading }
    set { readiness.isReading = newValue }
  }

  func send(_ frame: TerminalFrame) {
    guard !isFinishing, !readiness.isClosed else { return }
    output.append(frame.bytes)
    if isFull { wasFull = true }
    writable()
  }

  /// Ends this direction after everything is sent.
  func finish() {
    isFinishing = true
    writable()
  }

  /// No handler is called after this.
  func close() {
    (onFrame, onEnd, onSpace) = (nil, nil, nil)
    readiness.close()
  }

  private func writable() {
    guard !readiness.isClosed else { return }
    readiness.isWriting = !output.write {
      Glibc.send(readiness.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard output.isEmpty else { return }
    if isFinishing { _ = shutdown(readiness.descriptor, Int32(SHUT_WR)) }
    guard wasFull else { return }
    wasFull = false
    onSpace?()
  }

  private func readable() {
    let count = withUnsafeTemporaryAllocation(byteCount: Self.bufferLength, alignment: 1) { buffer in
      let count = recv(readiness.descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { decoder.receive(buffer[..<count]) }
      return count
    }
    guard count > 0 else {
      if count == 0 || (errno != EAGAIN && errno != EINTR) { end() }
      return
    }
    do throws(MalformedTerminalFrame) {
      while let onFrame, let frame = try decoder.next() { onFrame(frame) }
    } catch {
      end()
    }
  }

  private func end() {
    readiness.isReading = false
    onFrame = nil
    let handler = onEnd
    onEnd = nil
    handler?()
  }
}
