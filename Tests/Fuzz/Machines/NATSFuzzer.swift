// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// A rendezvous server that says anything at any time.
enum NATSFuzzer: Fuzzer {
  static let seeds = [
    "INFO {\"nonce\":\"n\",\"tls_required\":true}\r\nPONG\r\nMSG b.adv.a 1 5\r\nhello\r\nPING\r\n-ERR 'Slow Consumer'\r\n",
    "INFO {\"ldm\":true}\r\n",
  ].map { Array($0.utf8) }

  static let words = [
    "INFO {", "\"connect_urls\":[\"a:1\"]", "\r\n", "MSG a 1 1024\r\n", "-ERR 'User Authentication Revoked'\r\n",
    "PONG\r\n",
  ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    var (whole, pieces, choices) = (NATSDecoder(), NATSDecoder(), Choices(input.reversed()))
    let all = try? whole.receive(input)
    let parts = try? choices.pieces(of: input).flatMap { try pieces.receive($0) }
    same(parts, all)
    var now = ContinuousClock.now
    var session = NATSSession(at: now)
    var (isReady, isOver) = (false, false)
    for part in choices.pieces(of: input) {
      for event in [
        NATSSession.Event.received(Array(part)), .secured, .authenticated(token: "t", signature: [1]), .wake,
      ] {
        for effect in session.handle(event, at: now) {
          hold(!isOver || effect == .wake(at: nil), "something follows the end")
          switch effect {
          case .ready:
            hold(!isReady, "it is ready twice")
            isReady = true
          case .message(_, let payload):
            hold(isReady && payload.count <= Limits.rendezvousPayloadLength, "a message too soon, or too long")
          case .end: isOver = true
          case .rest(let instant): hold(instant > now, "it rests in the past")
          case .send, .secure, .authenticate, .wake: break
          }
        }
      }
      now += .milliseconds(Int(part.count) * 100)
    }
  }
}
