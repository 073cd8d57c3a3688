// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Owns one descriptor, with the bytes that wait until it takes them: reads pieces, writes what it is given, and tells
/// when either is over.
///
/// No handler is called before the method that set it up, or that writes, has returned.
@Loop
package final class Channel {
  /// Called for each piece that was read, if reading is on. The bytes are there until it returns.
  package var onBytes: (@Loop (UnsafeRawBufferPointer) -> Void)?
  /// Called once, when nothing more can be read. The argument is nil if the other side has ended, and otherwise what
  /// failed.
  package var onEnd: (@Loop (SystemError?) -> Void)?
  /// Called when nothing waits any more, after something did: all of it is written, or the channel is broken.
  package var onDrained: (@Loop () -> Void)?
  /// Reads into the buffer like `recv(2)`. Can be replaced, for example to leave bytes in the socket.
  package var read: (UnsafeMutableRawBufferPointer) -> Int

  private let readiness: Readiness
  private let isSocket: Bool
  private let pieceLength: Int
  private var waiting = WaitingBytes()
  private var isFinishing = false
  /// Whether the other side takes no more bytes, ever. What waited is dropped then. Reading tells why, and what was
  /// sent before is still read.
  package private(set) var isBroken = false

  /// - Parameters:
  ///   - descriptor: Non-blocking. This object closes it, in ``close()`` or when it is released.
  ///   - pieceLength: The most bytes to read at once.
  package init(owning descriptor: Int32, pieceLength: Int = 64 * 1024) {
    readiness = Readiness(owning: descriptor)
    self.pieceLength = pieceLength
    let isSocket = Sockets.isSocket(descriptor)
    self.isSocket = isSocket
    read = {
      isSocket ? recv(descriptor, $0.baseAddress, $0.count, 0) : Glibc.read(descriptor, $0.baseAddress, $0.count)
    }
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.onWritable = { [weak self] in self?.writable() }
  }

  package var descriptor: Int32 { readiness.descriptor }
  package var isClosed: Bool { readiness.isClosed }

  /// Whether to read. False makes the other side wait. A channel begins without.
  package var isReading: Bool {
    get { readiness.isReading }
    set { readiness.isReading = newValue && onEnd != nil }
  }

  /// Called if the other side has hung up, although nothing is read. See ``Readiness/onHangUp``.
  package var onHangUp: (@Loop () -> Void)? {
    get { readiness.onHangUp }
    set { readiness.onHangUp = newValue }
  }

  /// The number of bytes that wait. Whoever writes keeps it below a limit.
  package var waitingCount: Int { waiting.count }

  /// Writes what the descriptor takes now, and the rest as soon as it can.
  package func write(_ bytes: some Collection<UInt8>) {
    append(bytes)
    flush()
  }

  /// Lets bytes wait for ``flush()``.
  package func append(_ bytes: some Collection<UInt8>) {
    if !isClosed, !isBroken, !isFinishing { waiting.append(bytes) }
  }

  /// Forgets what waits.
  package func discard() { waiting = WaitingBytes() }

  /// Writes what the descriptor takes now of what waits, and the rest as soon as it can.
  package func flush() {
    guard !isClosed, !waiting.isEmpty else { return }
    writeNow()
    // Whoever has waited is told in a turn of its own.
    if isBroken || !waiting.isEmpty { readiness.isWriting = true }
  }

  /// Ends this direction of a socket when everything is written.
  package func finish() {
    guard !isFinishing, !isClosed else { return }
    isFinishing = true
    if waiting.isEmpty { _ = shutdown(descriptor, Int32(SHUT_WR)) }
  }

  /// Drops what waits, and closes the descriptor. No handler is called after this.
  package func close() {
    (onBytes, onEnd, onDrained) = (nil, nil, nil)
    waiting = WaitingBytes()
    readiness.close()
  }

  private func readable() {
    var failure: SystemError?
    let count = withUnsafeTemporaryAllocation(byteCount: pieceLength, alignment: 1) { buffer in
      let count = read(buffer)
      if count < 0 { failure = SystemError("read") }
      if count > 0 { onBytes?(UnsafeRawBufferPointer(rebasing: buffer[..<count])) }
      return count
    }
    if let failure, failure.code == EAGAIN || failure.code == EINTR { return }
    guard count <= 0 else { return }
    readiness.isReading = false
    let handler = onEnd
    onEnd = nil
    handler?(failure)
  }

  private func writeNow() {
    guard !waiting.isEmpty, !waiting.write(descriptor, isSocket: isSocket) else { return }
    isBroken = true
    waiting = WaitingBytes()
  }

  private func writable() {
    writeNow()
    guard waiting.isEmpty else { return }
    readiness.isWriting = false
    if isFinishing { _ = shutdown(descriptor, Int32(SHUT_WR)) }
    onDrained?()
  }
}

/// Bytes that wait until a descriptor takes them.
private struct WaitingBytes {
  private var bytes: [UInt8] = []
  /// Bytes before this were written.
  private var start = 0

  var count: Int { bytes.count - start }
  var isEmpty: Bool { count == 0 }

  mutating func append(_ more: some Collection<UInt8>) {
    if start > count {
      bytes.removeFirst(start)
      start = 0
    }
    bytes += more
  }

  /// Writes until nothing is left or the descriptor is full. Returns false if it is broken.
  mutating func write(_ descriptor: Int32, isSocket: Bool) -> Bool {
    while !isEmpty {
      let written = bytes[start...].withUnsafeBytes { rest in
        isSocket
          ? send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
          : Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      guard written >= 0 else {
        if errno == EINTR { continue }
        return errno == EAGAIN
      }
      start += written
    }
    (bytes, start) = ([], 0)
    return true
  }
}
