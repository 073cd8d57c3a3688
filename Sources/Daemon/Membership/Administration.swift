import Activity
import Continuation
import EventLoop
import PeerProtocol
import Systemd
import TLS
import Team

/// What the machines of a team say to each other of certificates and of the team's key (Protocol.md section 9).
@Loop
final class Administration {
  private let membership: Membership
  private let peers: PeerTable
  private let log: Log
  private var timer: Timer?
  /// When devices may be given a certificate again.
  private var renewals: [PeerID: ContinuousClock.Instant] = [:]

  init(_ membership: Membership, _ peers: PeerTable, log: Log) {
    self.membership = membership
    self.peers = peers
    self.log = log
    timer = Timer { [weak self] in self?.check() }
    timer?.set(Loop.now + Limits.certificateCheckTime)
  }

  /// Renews what ends soon, as far as that is possible now.
  func check() {
    timer?.set(Loop.now + Limits.certificateCheckTime)
    membership.renewOwnCertificates()
    for session in peers.sessions { ask(session) }
  }

  /// A session is ready.
  func began(_ session: PeerConnection) { ask(session) }

  func receive(_ message: Message, from session: PeerConnection) {
    switch message {
    case .renew: renew(session)
    case .renewed(let renewed): take(renewed, from: session)
    default: break
    }
  }

  // MARK: Certificates

  /// Asks an administrator for another certificate, where this machine needs one.
  private func ask(_ session: PeerConnection) {
    guard session.isAdministrator, membership.isCertificateDue(in: session.peer.team) else { return }
    session.send(.renew(Renew()))
  }

  private func renew(_ session: PeerConnection) {
    renewals = renewals.filter { $0.value > Loop.now }
    guard renewals[session.peer] == nil, let certificate = session.certificate else { return }
    do throws(Reason) {
      guard let renewed = try membership.renew(certificate, in: session.peer.team) else { return }
      renewals[session.peer] = Loop.now + Limits.renewalInterval
      session.send(.renewed(Renewed(certificate: renewed)))
      log.notice(
        "Renewed a device's certificate",
        ["device": session.peer.device.description, "team": session.peer.team.description]
      )
    } catch .notAdministrator {
      // Who asks takes this machine for another.
    } catch {
      log.warning(
        "A device's certificate cannot be renewed",
        ["device": session.peer.device.description, "team": session.peer.team.description, "reason": error.rawValue]
      )
    }
  }

  private func take(_ renewed: Renewed, from session: PeerConnection) {
    do throws(Reason) {
      try membership.take(certificate: renewed.certificate, of: session.peer.team)
    } catch .certificateInvalid {
      session.leave(.protocolViolation)
    } catch {
      log.warning("A renewed certificate was not kept, and is asked for again", ["reason": error.rawValue])
    }
  }
}

extension PeerConnection {
  /// The other side has the team's key.
  var isAdministrator: Bool { certificate?.isAdministrator ?? false }
}
