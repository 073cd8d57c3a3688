// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

/// Why a connection to a server has failed.
enum ServerFailure: Error, Equatable, CustomStringConvertible {
  /// The host's name has no address.
  case nameNotFound
  /// No address answers.
  case unreachable
  /// The server has not proved what it is, or TLS failed.
  case notProved(String)
  /// It takes nothing for too long.
  case stalled
  case session(NATSSession.Failure)
  case relay(RelayFailure)

  init(_ error: TLSClient.Failure) {
    self =
      switch error {
      case .wrongCertificate: .notProved("its key is different")
      case .unknownAuthority: .notProved("no authority known to this machine has signed its certificate")
      case .otherHost: .notProved("its certificate is for a different server")
      case .invalidCertificate(let why), .handshakeFailed(let why): .notProved(why)
      case .interrupted: .session(.closed)
      case .internalFailure(let why): .notProved(why)
      }
  }

  /// What the choice of the next server depends on.
  var natsFailure: NATSSession.Failure {
    if case .session(let failure) = self { failure } else { .closed }
  }

  /// Whether the server was reached and did not accept this machine.
  var isRefusal: Bool {
    switch self {
    case .session(.refused), .session(.revoked), .session(.expired): true
    default: false
    }
  }

  /// What people read.
  var description: String {
    switch self {
    case .nameNotFound: "its name can't be resolved"
    case .unreachable: "it isn't responding"
    case .notProved(let text): "it can't prove that it belongs to the team: \(text)"
    case .stalled: "it isn't accepting data"
    case .relay(let failure):
      switch failure {
      case .timedOut: "the other machine didn't connect in time"
      case .closed: "it closed the connection"
      case .full: "it has reached its limit"
      case .notThere: "the other machine had left"
      case .notReady: "it wasn't ready; the next attempt will work"
      case .refused(_, let text): "it refused: \(text)"
      case .malformed(let text): "it doesn't use the relay protocol: \(text)"
      }
    case .session(let failure):
      switch failure {
      case .timedOut: "it didn't answer in time"
      case .closed: "it closed the connection"
      case .unsuitable(let text): text
      case .refused: "it rejected the team or this machine"
      case .revoked: "this machine was removed from the team"
      case .expired: "this machine's access has expired"
      case .slowConsumer: "this machine was too slow"
      case .full: "it has reached its limit"
      case .leaving: "it's about to stop"
      case .malformed(let text): "it doesn't use the NATS protocol: \(text)"
      }
    }
  }
}
