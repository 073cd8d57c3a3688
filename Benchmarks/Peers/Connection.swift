// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Handoff
import TLS

/// A TCP connection to the daemon, with the TLS session on it, as cheap as one of a thousand must be.
@Loop
final class Connection {
  enum Event {
    /// The handshake is complete.
    case established
    /// The payload must not be kept.
    case frame(FrameDecoder.Frame)
    /// What had arrived was passed on.
    case batchEnd
    /// The last event.
    case ended
  }

  private static let batchLength = 64 * 1024

  private let tls: TLSEngine
  private let readiness: Readiness
  private let onEvent: @Loop (Event) -> Void
  private var decoder = FrameDecoder()
  private var wasEstablished = false
  private var isReading = false

  /// - Parameters:
  ///   - source: The address of this host that it comes from.
  ///   - onEvent: Not called before this returns.
  init(
    _ context: TLSContext,
    from source: SocketAddress,
    to address: SocketAddress,
    onEvent: @escaping @Loop (Event) -> Void
  ) throws {
    self.onEvent = onEvent
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, type, 0)
    guard descriptor >= 0 else { throw SystemError("socket", errno) }
    readiness = Readiness(owning: descriptor)
    // Without this, the kernel chooses ports for `bind` that no other connection of this host uses.
    var yes: Int32 = 1
    setsockopt(descriptor, Int32(IPPROTO_IP), IP_BIND_ADDRESS_NO_PORT, &yes, socklen_t(MemoryLayout<Int32>.size))
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    guard source.withSystemForm({ bind(descriptor, $0, $1) }) == 0 else { throw SystemError("bind", errno) }
    guard address.withSystemForm({ connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
      throw SystemError("connect", errno)
    }
    tls = try TLSEngine(context)
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.onWritable = { [weak self] in self?.flush() }
    readiness.isReading = true
    readiness.isWriting = true
  }

  /// Encrypts and sends whole frames.
  func send(_ frames: [UInt8]) {
    do {
      try frames.withUnsafeBytes { try tls.write($0) }
    } catch { return end() }
    if !isReading { flush() }
  }

  func close() { end() }

  private func readable() {
    isReading = true
    var isOver = false
    do {
      var count = 0
      try tls.receive(upTo: Self.batchLength) { space in
        count = recv(readiness.descriptor, space.baseAddress, space.count, 0)
        isOver = count == 0 || (count < 0 && errno != EAGAIN)
        return max(0, count)
      }
      try giveOut()
    } catch { isOver = true }
    isReading = false
    if isOver || tls.isEnded { return end() }
    flush()
  }

  private func giveOut() throws {
    guard tls.isEstablished, !readiness.isClosed else { return }
    if !wasEstablished {
      wasEstablished = true
      onEvent(.established)
    }
    while !readiness.isClosed {
      let count = try decoder.receive(upTo: Self.batchLength) { buffer, space throws(TLSError) in
        try buffer.withUnsafeMutableBytes { bytes throws(TLSError) in
          try tls.read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[space]))
        }
      }
      guard count > 0 else { break }
      while let frame = try decoder.next() { onEvent(.frame(frame)) }
      onEvent(.batchEnd)
    }
    decoder.trim()
  }

  private func flush() {
    while !readiness.isClosed, tls.pendingOutput > 0 {
      let count = tls.withOutput {
        max(0, Glibc.send(readiness.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)))
      }
      if count == 0 { break }
    }
    readiness.isWriting = tls.pendingOutput > 0
  }

  private func end() {
    guard !readiness.isClosed else { return }
    readiness.close()
    onEvent(.ended)
  }
}
