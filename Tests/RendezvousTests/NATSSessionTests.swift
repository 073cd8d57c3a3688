// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Handoff

struct NATSSessionTests {
  private let start = ContinuousClock.now

  private func bytes(_ text: String) -> NATSSession.Event { .received(Array(text.utf8)) }

  private func ready() -> NATSSession {
    var session = NATSSession(usesTLS: false, at: start)
    _ = session.handle(bytes("INFO {\"nonce\":\"n\"}\r\n"), at: start)
    _ = session.handle(.authenticated(token: "t", signature: [1]), at: start)
    #expect(session.handle(bytes("PONG\r\n"), at: start).first == .ready)
    return session
  }

  private func wake(_ effects: [NATSSession.Effect]) -> ContinuousClock.Instant? {
    for case .wake(let instant) in effects { return instant }
    return nil
  }

  @Test func itBecomesReadyStepByStep() {
    var session = NATSSession(at: start)
    let info = bytes("INFO {\"nonce\":\"n\",\"tls_required\":true,\"connect_urls\":[\"b:4222\"]}\r\n")
    #expect(session.handle(info, at: start).first == .secure)
    #expect(session.handle(.secured, at: start).first == .authenticate(nonce: "n"))
    guard case .send(let sent) = session.handle(.authenticated(token: "t", signature: [1]), at: start).first else {
      Issue.record("nothing is sent")
      return
    }
    #expect(sent.starts(with: "CONNECT ".utf8) && sent.suffix(6).elementsEqual("PING\r\n".utf8))
    #expect(!session.isReady)
    #expect(session.handle(.publish(subject: "a", payload: []), at: start).count == 1)
    #expect(session.handle(bytes("PONG\r\n"), at: start).first == .ready)
    #expect(session.isReady)
    #expect(session.handle(.subscribe(subject: "a"), at: start).first == .send(Array("SUB a 1\r\n".utf8)))
    #expect(
      session.handle(bytes("MSG a 1 2\r\nhi\r\n"), at: start).first == .message(subject: "a", payload: Array("hi".utf8))
    )
  }

  @Test func nothingIsSaidToAServerWithoutTLSOrWithoutANonce() {
    var session = NATSSession(at: start)
    #expect(
      session.handle(bytes("INFO {\"nonce\":\"n\"}\r\n"), at: start).first == .end(.unsuitable("it doesn't use TLS"))
    )
    #expect(session.handle(.secured, at: start) == [])
    session = NATSSession(usesTLS: false, at: start)
    guard case .end(.unsuitable) = session.handle(bytes("INFO {}\r\n"), at: start).first else {
      Issue.record("it is accepted")
      return
    }
  }

  @Test(arguments: [
    ("User Authentication Revoked", NATSSession.Failure.revoked), ("User Authentication Expired", .expired),
    ("Authorization Violation", .refused), ("Slow Consumer", .slowConsumer), ("maximum connections exceeded", .full),
    ("Unknown Protocol Operation", .unsuitable("it reported: unknown protocol operation")),
  ])
  func whatTheServerSaysIsToldByName(_ text: String, _ failure: NATSSession.Failure) {
    var session = ready()
    #expect(session.handle(bytes("-ERR '\(text)'\r\n"), at: start) == [.end(failure), .wake(at: nil)])
    #expect(session.handle(.closed, at: start) == [])
  }

  @Test func aSubjectThatIsNotAllowedEndsNothing() {
    var session = ready()
    _ = session.handle(bytes("-ERR 'Permissions Violation for Publish to \"b.adv.x\"'\r\n"), at: start)
    #expect(session.isReady)
  }

  @Test func aServerThatIsSilentIsAskedAndThenLeft() throws {
    var session = NATSSession(at: start)
    #expect(wake(session.handle(.wake, at: start)) == start + Limits.rendezvousReplyTime)
    #expect(session.handle(.wake, at: start + Limits.rendezvousReplyTime).first == .end(.timedOut))
    session = ready()
    let idle = start + NATSSession.rendezvousIdleTime
    #expect(wake(session.handle(.wake, at: start)) == idle)
    #expect(session.handle(.wake, at: idle).first == .send(Array("PING\r\n".utf8)))
    _ = session.handle(bytes("PONG\r\n"), at: idle)
    #expect(wake(session.handle(.wake, at: idle)) == idle + NATSSession.rendezvousIdleTime)
    let later = idle + NATSSession.rendezvousIdleTime
    #expect(session.handle(.wake, at: later).first == .send(Array("PING\r\n".utf8)))
    #expect(session.handle(.wake, at: later + Limits.rendezvousReplyTime).first == .end(.timedOut))
  }

  @Test func aServerIsAnsweredAndMayLeave() {
    var session = ready()
    #expect(session.handle(bytes("PING\r\n"), at: start).first == .send(Array("PONG\r\n".utf8)))
    #expect(session.handle(bytes("INFO {\"ldm\":true}\r\n"), at: start).first == .end(.leaving))
  }

  @Test func messagesBeforeTheEndOfTheHandshakeAreRefused() {
    var session = NATSSession(usesTLS: false, at: start)
    guard case .end(.malformed) = session.handle(bytes("MSG a 1 2\r\nhi\r\n"), at: start).first else {
      Issue.record("it is taken")
      return
    }
  }

  @Test(arguments: ["PONG\r\n", "PING\r\n", "-ERR 'User Authentication Revoked'\r\n", "MSG a 1 2\r\n", "-ERR 'Slow"])
  func nothingFollowsINFOBeforeTLS(_ rest: String) {
    var session = NATSSession(at: start)
    let info = bytes("INFO {\"nonce\":\"n\",\"tls_required\":true}\r\n\(rest)")
    guard case .end(.malformed) = session.handle(info, at: start).first else {
      Issue.record("it would count as said after TLS")
      return
    }
  }

  @Test func nobodyIsBelievedBeforeTLS() {
    for text in ["User Authentication Revoked", "Authorization Violation", "User Authentication Expired"] {
      var session = NATSSession(at: start)
      guard case .end(.unsuitable) = session.handle(bytes("-ERR '\(text)'\r\n"), at: start).first else {
        Issue.record("it is believed")
        return
      }
    }
    var session = NATSSession(at: start)
    #expect(session.handle(bytes("-ERR 'maximum connections exceeded'\r\n"), at: start).first == .end(.full))
    session = NATSSession(at: start)
    guard case .end(.malformed) = session.handle(bytes("PONG\r\n"), at: start).first else {
      Issue.record("it gives the server more time")
      return
    }
  }

  @Test func aServerThatSaysTooMuchIsReadSlowly() {
    var session = ready()
    let burst = Int(Limits.rendezvousMessageRate.burst) - 10
    func rest(_ count: Int, at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
      for case .rest(let instant) in session.handle(bytes(String(repeating: "+OK\r\n", count: count)), at: now) {
        return instant
      }
      return nil
    }
    #expect(rest(burst, at: start) == nil)
    // What is over is paid with the time.
    let over = Int(Limits.rendezvousMessageRate.perSecond)
    #expect(rest(over - 1 + 8, at: start) == start + .seconds(1))
    #expect(rest(1, at: start + .seconds(2)) == nil)
  }

  @Test func whatTheServerSaysIsCut() {
    var session = ready()
    let said = "-ERR '" + String(repeating: "\u{1B}", count: 9000) + "'\r\n"
    guard case .end(.unsuitable(let text)) = session.handle(bytes(said), at: start).first else {
      Issue.record("it does not end")
      return
    }
    #expect(text.utf8.count < 120 && Printable.isPlain(text))
  }
}
