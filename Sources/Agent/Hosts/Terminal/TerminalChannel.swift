// SPDX-License-Identifier: Apache-2.0

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

  private let channel: Channel
  private var decoder = TerminalFrameDecoder()
  private var wasFull = false

  private static let bufferLength = 64 * 1024

  /// - Parameter socket: A non-blocking descriptor, of which this object makes a duplicate.
  init(_ socket: Int32) throws(SystemError) {
    let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else { throw SystemError("fcntl") }
    channel = Channel(owning: descriptor, pieceLength: Self.bufferLength)
    channel.onBytes = { [weak self] in self?.received($0) }
    channel.onEnd = { [weak self] _ in self?.end() }
    channel.onDrained = { [weak self] in self?.drained() }
    channel.isReading = true
  }

  /// Whether nothing more should be sent until ``onSpace``.
  var isFull: Bool { channel.waitingCount >= Self.bufferLength }

  /// False makes the other side wait. Frames of the piece that was read last are still reported.
  var isReading: Bool {
    get { channel.isReading }
    set { channel.isReading = newValue }
  }

  func send(_ frame: TerminalFrame) {
    channel.write(frame.bytes)
    if isFull { wasFull = true }
  }

  /// Ends this direction after everything is sent.
  func finish() { channel.finish() }

  /// No handler is called after this.
  func close() {
    (onFrame, onEnd, onSpace) = (nil, nil, nil)
    channel.close()
  }

  private func drained() {
    guard wasFull else { return }
    wasFull = false
    onSpace?()
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    decoder.receive(bytes)
    do throws(MalformedTerminalFrame) {
      while let onFrame, let frame = try decoder.next() { onFrame(frame) }
    } catch {
      end()
    }
  }

  private func end() {
    channel.isReading = false
    onFrame = nil
    let handler = onEnd
    onEnd = nil
    handler?()
  }
}
