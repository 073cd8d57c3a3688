// SPDX-License-Identifier: Apache-2.0

import Glibc
import Handoff
import TLS
import TestSupport
import Testing

/// What a real `strelaysrv` makes of two machines that meet.
struct RelayServerTests {
  /// A machine's first connection, which blocks.
  private final class Machine {
    let identity: ThrowawayCertificate
    private let socket: SecureSocket
    private var meeting: RelayMeeting
    private(set) var isJoined = false
    private(set) var key: [UInt8]?
    private(set) var failure: RelayFailure?
    private var wake: ContinuousClock.Instant?

    /// Connects, and asks.
    init(_ server: RelayServer, _ role: RelayMeeting.Role, trust: ServerTrust? = nil) throws {
      identity = try ThrowawayCertificate.make()
      meeting = RelayMeeting(role, at: .now)
      let trust = try trust ?? .certificate(#require(server.address.id))
      socket = try SecureSocket(
        trust,
        host: server.address.host,
        port: server.address.port,
        protocols: ["bep-relay"],
        identity: identity
      )
      try handle(.secured)
    }

    func handle(_ event: RelayMeeting.Event, at now: ContinuousClock.Instant = .now) throws {
      for effect in meeting.handle(event, at: now) {
        switch effect {
        case .send(let bytes): try socket.write(bytes)
        case .joined: isJoined = true
        case .invited(let key): self.key = key
        case .end(let failure): self.failure = failure
        case .rest: break
        case .wake(let instant): wake = instant
        }
      }
    }

    /// Until the condition holds, or the connection ends. Then, the time for which the meeting waits has come.
    func run(until condition: () -> Bool) throws {
      while !condition(), failure == nil {
        let bytes = try socket.read()
        try handle(bytes.isEmpty ? .closed : .received(bytes))
        if bytes.isEmpty, let wake { try handle(.wake, at: wake) }
      }
    }

    func join() throws -> Self {
      try run { isJoined }
      #expect(failure == nil)
      return self
    }

    func invitedKey() throws -> [UInt8] {
      try run { key != nil }
      return try #require(key, "\(String(describing: failure))")
    }
  }

  /// A machine's second connection, which blocks.
  private final class Session {
    private let descriptor: Int32
    private var unread: [UInt8] = []
    private(set) var failure: RelayFailure?

    /// Connects, and waits until it has joined, or failed.
    init(_ server: RelayServer, key: [UInt8]) throws {
      descriptor = try RawSocket.connect(port: server.address.port)
      var joining = RelayJoining(key: key, at: .now)
      var (event, isJoined) = (RelayJoining.Event.connected, false)
      while true {
        for effect in joining.handle(event, at: .now) {
          switch effect {
          case .send(let bytes): try write(bytes)
          case .joined(let rest): (isJoined, unread) = (true, rest)
          case .end(let failure): self.failure = failure
          case .wake: break
          }
        }
        if isJoined || failure != nil { return }
        let bytes = try receive()
        event = bytes.isEmpty ? .closed : .received(bytes)
      }
    }

    deinit { close(descriptor) }

    func write(_ bytes: [UInt8]) throws {
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { throw TestFailure("send: \(errno)") }
        rest = rest.dropFirst(count)
      }
    }

    func read(_ count: Int) throws -> [UInt8] {
      while unread.count < count {
        let bytes = try receive()
        guard !bytes.isEmpty else { throw TestFailure("The session has ended") }
        unread += bytes
      }
      defer { unread.removeFirst(count) }
      return Array(unread.prefix(count))
    }

    func waitForEnd() throws { _ = try RawSocket.waitForEnd(descriptor) }

    private func receive() throws -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 16 << 10)
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count >= 0 || errno == ECONNRESET else { throw TestFailure("The relay says nothing: errno \(errno)") }
      return Array(buffer.prefix(max(0, count)))
    }
  }

  private struct Meeting {
    /// Nil after it has left.
    var host: Machine?
    let atHost: Session
    let atGuest: Session
  }

  private func meet(_ server: RelayServer) throws -> Meeting {
    // On this machine, a host can be faster than the relay. It is told so, and comes again.
    for _ in 0..<10 {
      let host = try Machine(server, .host).join()
      let guest = try Machine(server, .guest(hostID: host.identity.id))
      let atHost = try Session(server, key: host.invitedKey())
      let atGuest = try Session(server, key: guest.invitedKey())
      if atHost.failure == .notReady || atGuest.failure == .notReady { continue }
      #expect(atGuest.failure == nil && atHost.failure == nil)
      return Meeting(host: host, atHost: atHost, atGuest: atGuest)
    }
    throw TestFailure("The relay is never ready")
  }

  @Test func machinesMeetAndSpeakAsOftenAsTheyWant() throws {
    let server = try RelayServer()
    let (one, two) = (try meet(server), try meet(server))
    for (number, meeting) in [one, two].enumerated() {
      let bytes = SystemRandom.bytes(100_000 + number)
      try meeting.atGuest.write(bytes)
      try meeting.atHost.write(bytes.reversed())
      #expect(try meeting.atHost.read(bytes.count) == bytes)
      #expect(try meeting.atGuest.read(bytes.count) == bytes.reversed())
    }
    withExtendedLifetime((one, two)) {}
  }

  @Test func aGuestWithoutAHostIsToldSo() throws {
    let server = try RelayServer()
    let guest = try Machine(server, .guest(hostID: SystemRandom.bytes(32)))
    try guest.run { false }
    #expect(guest.failure == .notThere && guest.key == nil)
  }

  @Test func aHostWithoutAGuestWaitsUntilItsDeadline() throws {
    let server = try RelayServer()
    let host = try Machine(server, .host).join()
    try host.handle(.wake)
    #expect(host.failure == nil)
    try host.handle(.wake, at: .now + RelayMeeting.relayMeetingTime)
    #expect(host.failure == .timedOut)
  }

  @Test func aRelayThatStopsIsNoticed() throws {
    let server = try RelayServer()
    let (waiting, meeting) = (try Machine(server, .host).join(), try meet(server))
    server.kill()
    try waiting.run { false }
    #expect(waiting.failure == .closed)
    let host = try #require(meeting.host)
    try host.run { false }
    #expect(host.failure == .closed)
    try meeting.atHost.waitForEnd()
    try meeting.atGuest.waitForEnd()
  }

  @Test func aKeyIsValidOnce() throws {
    let server = try RelayServer()
    let host = try Machine(server, .host).join()
    let guest = try Machine(server, .guest(hostID: host.identity.id))
    let key = try guest.invitedKey()
    _ = try Session(server, key: key)
    #expect(try Session(server, key: key).failure == .notThere)
    #expect(try Session(server, key: SystemRandom.bytes(32)).failure == .notThere)
  }

  /// This is why a host keeps its first connection.
  @Test func aHostThatLeavesEndsTheSession() throws {
    let server = try RelayServer()
    var meeting = try meet(server)
    try meeting.atHost.write([1])
    #expect(try meeting.atGuest.read(1) == [1])
    meeting.host = nil
    try meeting.atGuest.waitForEnd()
    try meeting.atHost.waitForEnd()
  }

  @Test func aRelayIsKnownByItsID() throws {
    let server = try RelayServer()
    #expect(server.address.host == "127.0.0.1" && server.address.id?.count == RelayID.byteCount)
    let other = ServerTrust.certificate(SystemRandom.bytes(32))
    #expect(thrown(by: { try Machine(server, .host, trust: other) }) as? TLSClient.Failure == .wrongCertificate)
    _ = try Machine(server, .host, trust: .unverified).join()
  }
}
