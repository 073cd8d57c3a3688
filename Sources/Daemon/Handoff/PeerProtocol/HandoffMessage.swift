// SPDX-License-Identifier: Apache-2.0

import Activity

/// What two machines say about activities: those that are offered, fetched and continued (Protocol.md section 6).
package enum HandoffMessage: Equatable, Sendable {
  case offer(Offer)
  case withdraw(Withdraw)
  case fetch(Fetch)
  case payload(Payload)
  case failure(Failure)
  case continued(Continued)

  /// The types of their frames.
  package enum Number: UInt8, CaseIterable, Sendable {
    case offer = 7
    case withdraw = 8
    case fetch = 9
    case payload = 10
    case failure = 11
    case continued = 12
  }

  /// - Throws: `Reason.protocolViolation` if the payload is not valid for the type.
  init(_ number: Number, _ payload: ArraySlice<UInt8>) throws(Reason) {
    self =
      switch number {
      case .offer: .offer(try Offer(payload: payload))
      case .withdraw: .withdraw(try Withdraw(payload: payload))
      case .fetch: .fetch(try Fetch(payload: payload))
      case .payload: .payload(try Payload(payload: payload))
      case .failure: .failure(try Failure(payload: payload))
      case .continued: .continued(try Continued(payload: payload))
      }
  }

  /// Whether somebody waits for it: it is sent before all others are told what follows from it.
  package var isAwaited: Bool {
    switch self {
    case .payload, .failure: true
    case .offer, .withdraw, .fetch, .continued: false
    }
  }

  /// The whole frame.
  package var frame: [UInt8] {
    switch self {
    case .offer(let body): body.frame
    case .withdraw(let body): body.frame
    case .fetch(let body): body.frame
    case .payload(let body): body.frame
    case .failure(let body): body.frame
    case .continued(let body): body.frame
    }
  }
}
