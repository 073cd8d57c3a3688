import Activity
import ControlInterface
import EventLoop
import Glibc
import JSON
import PeerProtocol
import TLS
import Team

/// The other side of a session, that does what a test wants: TLS over a blocking socket, and nothing of the protocol by
/// itself. For one thread.
package final class RawPeer {
  package let descriptor: Int32
  private let tls: TLSSession
  private var decoder = FrameDecoder()
  private var isOver = false

  /// Dials a daemon and shakes hands.
  ///
  /// - Parameter source: The local address.
  package init(_ context: TLSContext, port: UInt16, from source: String = "127.0.0.1") throws {
    descriptor = try RawSocket.connect(port: port, from: source)
    tls = try TLSSession(context)
    try flush()
    while !tls.isEstablished { try receiveCiphertext() }
    try flush()
  }

  package convenience init(_ credentials: Credentials, port: UInt16, from source: String = "127.0.0.1") throws {
    try self.init(try TLSContext.client(credentials: credentials), port: port, from: source)
  }

  deinit { close(descriptor) }

  /// A device that is admitted to the daemon's team, as with a request that came on a disk.
  package static func admitted(by fixture: DaemonFixture) throws -> Credentials {
    let key = try PrivateKey.make()
    let request = try CertificateRequest.make(for: key).pem()
    let reply = try fixture.call(ApproveRequest.self, ApproveRequest.Parameters(request: request))
    let joined = try Approval(text: reply.approval).joined
    return try Credentials(
      key: key,
      certificate: Certificate(pem: joined.certificate),
      authority: Certificate(pem: joined.authority),
      discoveryKey: joined.discoveryKey
    )
  }

  // MARK: Saying

  package func send(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try tls.write($0) }
    try flush()
  }

  package func send(_ message: Message) throws { try send(message.frame) }

  package func sendData(stream: UInt32, offset: UInt64, _ bytes: [UInt8]) throws {
    try send(Self.dataFrame(stream: stream, offset: offset, bytes))
  }

  package static func dataFrame(stream: UInt32, offset: UInt64, _ bytes: [UInt8]) -> [UInt8] {
    let header = DataFrame.header(stream: stream, offset: offset, count: bytes.count)
    return [header.0, header.1].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
      + bytes
  }

  package static func hello(_ name: String = "gamma", epoch: UInt64 = 1) -> Message {
    .hello(Hello(minimum: 1, maximum: 1, device: name, epoch: epoch, revocations: 0))
  }

  /// Says and hears what makes a session ready.
  package func becomeReady() throws {
    try send(Self.hello())
    guard case .hello = try next() else { throw TestFailure("No hello") }
    try send(.accepted(Accepted(version: 1)))
    guard case .accepted = try next() else { throw TestFailure("No accepted") }
  }

  // MARK: Hearing

  /// The next frame; nil at the end of the connection.
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

  /// The next message; nil at the end of the connection. Bytes of streams are passed over.
  package func next() throws -> Message? {
    while let frame = try nextFrame() {
      guard frame.type != DataFrame.type else { continue }
      return try Message(type: frame.type, payload: frame.payload[...])
    }
    return nil
  }

  /// Hears until a message for which `value` gives something.
  package func hear<T>(_ claim: String, _ value: (Message) -> T?) throws -> T {
    while let message = try next() {
      if let value = value(message) { return value }
    }
    throw TestFailure("The session ended before: \(claim)")
  }

  /// The reason of the `bye` with which the daemon ends the session.
  package func farewell() throws -> Reason {
    try hear("bye") { if case .bye(let bye) = $0 { bye.reason } else { nil } }
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
