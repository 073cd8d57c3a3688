// SPDX-License-Identifier: Apache-2.0

import Activity

/// What the machines of a team tell each other about its members, its key and where it meets (Protocol.md sections 5, 9
/// and 11). Each makes the receiver verify signatures, or read or write files, and costs its sender accordingly.
package enum TeamMessage: Equatable, Sendable {
  case revocations(Revocations)
  case renew(Renew)
  case renewed(Renewed)
  case promote(Promote)
  case promoted(Promoted)
  case admitted(Admitted)
  case rendezvous(RendezvousAccess)
  case askRendezvous(AskRendezvous)

  /// The types of their frames.
  package enum Number: UInt8, CaseIterable, Sendable {
    case revocations = 22
    case renew = 64
    case renewed = 65
    case promote = 66
    case promoted = 67
    case admitted = 68
    case rendezvous = 74
    case askRendezvous = 75
  }

  /// - Throws: `Reason.protocolViolation` if the payload is not valid for the type.
  init(_ number: Number, _ payload: ArraySlice<UInt8>) throws(Reason) {
    self =
      switch number {
      case .revocations: .revocations(try Revocations(payload: payload))
      case .renew: .renew(try Renew(payload: payload))
      case .renewed: .renewed(try Renewed(payload: payload))
      case .promote: .promote(try Promote(payload: payload))
      case .promoted: .promoted(try Promoted(payload: payload))
      case .admitted: .admitted(try Admitted(payload: payload))
      case .rendezvous: .rendezvous(try RendezvousAccess(payload: payload))
      case .askRendezvous: .askRendezvous(try AskRendezvous(payload: payload))
      }
  }

  /// The whole frame.
  package var frame: [UInt8] {
    switch self {
    case .revocations(let body): body.frame
    case .renew(let body): body.frame
    case .renewed(let body): body.frame
    case .promote(let body): body.frame
    case .promoted(let body): body.frame
    case .admitted(let body): body.frame
    case .rendezvous(let body): body.frame
    case .askRendezvous(let body): body.frame
    }
  }
}
