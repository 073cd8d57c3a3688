// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import Handoff
import JSONCoding
import TLS
import Teams

/// The other side of a session, which does what the test wants: TLS over a blocking socket, without any protocol logic
/// of its own. Use it on one thread only.
package final class RawPeer {
  package let descriptor: Int32
  private let tls: TLSEngine
  private var decoder = FrameDecoder()
  private var isOver = false
  private let device: DeviceID?

  /// Dials a daemon and completes the handshake.
  ///
  /// - Parameters:
  ///   - source: The local address.
  ///   - finishes: If false, holds back this side's last bytes of the handshake until something is sent.
  package init(
    _ context: TLSContext,
    device: DeviceID? = nil,
    port: UInt16,
    from source: String = "127.0.0.1",
    finishes: Bool = true
  ) throws {
    self.device = device
    descriptor = try RawSocket.connect(port: port, from: source)
    tls = try TLSEngine(context)
    try flush()
    while !tls.isEstablished { try receiveCiphertext() }
    if finishes { try flush() }
  }

  package convenience init(
    _ credentials: Credentials,
    port: UInt16,
    from source: String = "127.0.0.1",
    finishes: Bool = true
  ) throws {
    try self.init(
      try TLSContext.client(credentials: credentials),
      device: credentials.device,
      port: port,
      from: source,
      finishes: finishes
    )
  }

  /// Answers a machine that has dialled, and completes the handshake.
  ///
  /// - Parameters:
  ///   - context: A server's context.
  ///   - descriptor: The connection. The peer takes ownership of it.
  package init(answering descriptor: Int32, as context: TLSContext) throws {
    device = nil
    self.descriptor = descriptor
    RawSocket.limitWaiting(descriptor)
    tls = try TLSEngine(context)
    while !tls.isEstablished {
      try receiveCiphertext()
      try flush()
    }
  }

  deinit { close(descriptor) }

  /// Returns the credentials of a new device that the daemon's team admits, as if its request had come on a disk.
  package static func admitted(by fixture: DaemonFixture, team: String? = nil) throws -> Credentials {
    let key = try PrivateKey.make()
    let request = try CertificateRequest.make(for: key).pem()
    let reply = try fixture.call(ApproveRequest.self, ApproveRequest.Parameters(request: request, team: team))
    let joined = try Approval(text: reply.approval).joined
    return try Credentials(
      key: key,
      certificate: Certificate(pem: joined.certificate),
      authority: Certificate(pem: joined.authority),
      discoveryKey: joined.discoveryKey
    )
  }

  /// The number of the first stream that this side may open.
  package var firstStream: UInt32 {
    guard let device, let peer = tls.peer else { return 0 }
    return device < peer ? 1 : 2
  }

  // MARK: Saying

  package func send(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try tls.write($0) }
    try flush()
  }

  package func send(_ message: some MessageBody) throws { try send(message.frame) }

  package func sendData(stream: UInt32, offset: UInt64, _ bytes: [UInt8]) throws {
    try send(Self.dataFrame(stream: stream, offset: offset, bytes))
  }

  package static func dataFrame(stream: UInt32, offset: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    let header = DataFrame.header(stream: stream, offset: offset, count: bytes.count)
    return [header.0, header.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
      + bytes
  }

  package static func hello(_ name: String = "gamma", epoch: UInt64 = 1, time: UInt64? = nil) -> Hello {
    Hello(minimum: 1, maximum: 1, device: name, epoch: epoch, revocations: 0, time: time)
  }

  /// Exchanges the messages that make a session ready.
  package func becomeReady(_ hello: Hello = hello()) throws {
    try send(hello)
    guard case .session(.hello) = try next() else { throw TestFailure("No hello") }
    try send(Accepted(version: 1))
    guard case .session(.accepted) = try next() else { throw TestFailure("No accepted") }
  }

  // MARK: Conversations

  /// Continues an activity, as a daemon does.
  package func continueActivity(_ id: ActivityID, request: UInt64 = 1) throws -> ActivityRecord {
    try send(Fetch(request: request, activity: id))
    let record = try hear("the payload") {
      if case .handoff(.payload(let payload)) = $0 { payload.activity } else { nil }
    }
    try send(Continued(activity: id, delivered: true))
    return record
  }

  /// Opens a stream to an activity that was continued, and accepts it for the app.
  package func openStream(_ number: UInt32, _ advertisement: Advertisement) throws -> StreamEnd {
    try send(Open(stream: number, activity: advertisement.id))
    let end = try advertisement.acceptStream()
    _ = try hear("opened") {
      if case .stream(.opened(let opened)) = $0, opened.stream == number { opened } else { nil }
    }
    return end
  }

  /// Continues an activity, and opens the first stream to it.
  package func continueWithStream(_ advertisement: Advertisement) throws -> StreamEnd {
    _ = try continueActivity(advertisement.id)
    try advertisement.expect(.continued)
    return try openStream(firstStream, advertisement)
  }

  /// Waits for the end of a stream, and acknowledges that the app has read everything.
  package func acknowledgeEnd(of stream: UInt32) throws {
    let length = try hear("finish") {
      if case .stream(.finish(let finish)) = $0, finish.stream == stream { finish.length } else { nil }
    }
    let progress = StreamFlow.Progress(received: length, limit: length + Limits.streamWindow, isFinished: true)
    try send(Acknowledge(stream: stream, progress: progress))
  }

  // MARK: Hearing

  /// Returns the next frame; nil at the end of the connection.
  package func nextFrame() throws -> (type: UInt8, payload: [UInt8])? {
    while true {
      if let frame = try decoder.next() { return (frame.type, Array(frame.payload)) }
      if isOver { return nil }
      var buffer = [UInt8](repeating: 0, count: 64 * 1024)
      let count = try buffer.withUnsafeMutableBytes { try tls.read(into: $0) }
      if count > 0 {
        decoder.receive(buffer.prefix(count))
      } else if tls.isEnded {
        return nil
      } else {
        try receiveCiphertext()
      }
    }
  }

  /// Returns the next message and skips the bytes of streams; nil at the end of the connection.
  package func next() throws -> Message? {
    while let frame = try nextFrame() {
      guard frame.type != DataFrame.type else { continue }
      return try Message(type: frame.type, payload: frame.payload[...])
    }
    return nil
  }

  /// Reads messages until `value` returns something for one of them.
  package func hear<T>(_ claim: String, _ value: (Message) throws -> T?) throws -> T {
    while let message = try next() {
      if let value = try value(message) { return value }
    }
    throw TestFailure("The session ended before: \(claim)")
  }

  /// Reads bytes of streams, and skips the messages in between.
  ///
  /// - Parameter offset: The offset of the first byte.
  package func bytes(_ count: Int, at offset: UInt64 = 0) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      guard let frame = try nextFrame() else { throw TestFailure("The session ended after \(bytes.count) bytes") }
      guard frame.type == DataFrame.type else { continue }
      let data = try DataFrame(payload: frame.payload[...])
      guard data.offset == offset + UInt64(bytes.count) else { throw TestFailure("Bytes at \(data.offset)") }
      bytes += data.bytes
    }
    return bytes
  }

  /// Whether the other side has sent something that has not been read.
  package var hasInput: Bool {
    var byte: UInt8 = 0
    return (try? decoder.next()) != nil || recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT | MSG_PEEK)) > 0
  }

  /// Ends the connection, as a network failure would.
  package func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Ends the connection with an RST, after what was said.
  package func reset() {
    var option = Glibc.linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<Glibc.linger>.size))
    // Connecting to AF_UNSPEC disconnects the socket, while this object keeps the descriptor.
    var nothing = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
  }

  /// The reason of the `bye` with which the daemon ends the session.
  package func farewell() throws -> Reason {
    try hear("bye") { if case .session(.bye(let bye)) = $0 { bye.reason } else { nil } }
  }

  private func receiveCiphertext() throws {
    var failure: TestFailure?
    do {
      try tls.receive(upTo: 64 * 1024) { space in
        let count = recv(descriptor, space.baseAddress, space.count, 0)
        if count < 0, errno == EAGAIN { failure = TestFailure("The daemon said nothing") }
        if count <= 0 { isOver = true }
        return max(0, count)
      }
    } catch {
      try? flush()
      throw error
    }
    if let failure { throw failure }
    if isOver, !tls.isEstablished { throw TestFailure("The connection was closed in the handshake") }
  }

  private func flush() throws {
    while tls.pendingOutput > 0 {
      let sent = tls.withOutput { max(0, Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))) }
      guard sent > 0 else { throw TestFailure("send: \(String(cString: strerror(errno)))") }
    }
  }
}
