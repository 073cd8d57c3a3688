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
      case .wrongCertificate: .notProved("it shows another key")
      case .unknownAuthority: .notProved("no authority that this machine knows vouches for it")
      case .otherHost: .notProved("its certificate is for another server")
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
    case .nameNotFound: "its name is not known"
    case .unreachable: "it does not answer"
    case .notProved(let text): "it does not prove that it is the team's: \(text)"
    case .stalled: "it accepts no data"
    case .relay(let failure):
      switch failure {
      case .timedOut: "the other machine did not come in time"
      case .closed: "it closed the connection"
      case .full: "it has no room for more"
      case .notThere: "the other machine was no longer there"
      case .notReady: "it was not ready; the next meeting will work"
      case .refused(_, let text): "it refused: \(text)"
      case .malformed(let text): "it does not speak the relay protocol: \(text)"
      }
    case .session(let failure):
      switch failure {
      case .timedOut: "it does not answer in time"
      case .closed: "it closed the connection"
      case .unsuitable(let text): text
      case .refused: "it does not accept the team, or this device"
      case .revoked: "this device was removed from the team"
      case .expired: "this device's access has expired"
      case .slowConsumer: "this machine was too slow"
      case .full: "it has no room for more"
      case .leaving: "it is about to stop"
      case .malformed(let text): "it does not speak NATS: \(text)"
      }
    }
  }
}
