// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the two sides of a session say about themselves: who they are, that they are there, what they are called, where
/// they can be reached, and why they leave (Protocol.md section 5).
package enum SessionMessage: Equatable, Sendable {
  case hello(Hello)
  case accepted(Accepted)
  case refused(Refused)
  case bye(Bye)
  case ping(Ping)
  case pong(Pong)
  case probe(Probe)
  case probed(Probed)
  case renamed(Renamed)

  /// The types of their frames.
  package enum Number: UInt8, CaseIterable, Sendable {
    case hello = 1
    case accepted = 2
    case refused = 3
    case bye = 4
    case ping = 5
    case pong = 6
    case probe = 20
    case probed = 21
    case renamed = 72
  }

  /// - Throws: `Reason.protocolViolation` if the payload is not valid for the type.
  init(_ number: Number, _ payload: ArraySlice<UInt8>) throws(Reason) {
    self =
      switch number {
      case .hello: .hello(try Hello(payload: payload))
      case .accepted: .accepted(try Accepted(payload: payload))
      case .refused: .refused(try Refused(payload: payload))
      case .bye: .bye(try Bye(payload: payload))
      case .ping: .ping(try Ping(payload: payload))
      case .pong: .pong(try Pong(payload: payload))
      case .probe: .probe(try Probe(payload: payload))
      case .probed: .probed(try Probed(payload: payload))
      case .renamed: .renamed(try Renamed(payload: payload))
      }
  }

  /// The whole frame.
  package var frame: [UInt8] {
    switch self {
    case .hello(let body): body.frame
    case .accepted(let body): body.frame
    case .refused(let body): body.frame
    case .bye(let body): body.frame
    case .ping(let body): body.frame
    case .pong(let body): body.frame
    case .probe(let body): body.frame
    case .probed(let body): body.frame
    case .renamed(let body): body.frame
    }
  }
}
