// SPDX-License-Identifier: Apache-2.0

import Activity

/// What two machines say about continuation streams, except their bytes, which are in a ``DataFrame`` (Protocol.md
/// section 7).
package enum StreamMessage: Equatable, Sendable {
  case open(Open)
  case opened(Opened)
  case acknowledge(Acknowledge)
  case finish(Finish)
  case reset(Reset)
  case resume(Resume)

  /// The types of their frames.
  package enum Number: UInt8, CaseIterable, Sendable {
    case open = 13
    case opened = 14
    case acknowledge = 16
    case finish = 17
    case reset = 18
    case resume = 19
  }

  /// - Throws: `Reason.protocolViolation` if the payload is not valid for the type.
  init(_ number: Number, _ payload: ArraySlice<UInt8>) throws(Reason) {
    self =
      switch number {
      case .open: .open(try Open(payload: payload))
      case .opened: .opened(try Opened(payload: payload))
      case .acknowledge: .acknowledge(try Acknowledge(payload: payload))
      case .finish: .finish(try Finish(payload: payload))
      case .reset: .reset(try Reset(payload: payload))
      case .resume: .resume(try Resume(payload: payload))
      }
  }

  /// The whole frame.
  package var frame: [UInt8] {
    switch self {
    case .open(let body): body.frame
    case .opened(let body): body.frame
    case .acknowledge(let body): body.frame
    case .finish(let body): body.frame
    case .reset(let body): body.frame
    case .resume(let body): body.frame
    }
  }
}
