import Activity
import Continuation
import EventLoop
import PeerProtocol
import Systemd
import TLS
import Teams

/// What the machines of a team tell each other about certificates and the team's key (Protocol.md section 9).
@Loop
final class Administration {
  private final class Promotion {
    let message: Promote
    let timer: Timer
    let completion: @Loop (Result<Void, Reason>) -> Void

    init(_ message: Promote, _ timer: Timer, _ completion: @escaping @Loop (Result<Void, Reason>) -> Void) {
      self.message = message
      self.timer = timer
      self.completion = completion
    }
  }

  /// Returns the name of this machine.
  var deviceName: (@Loop () -> String)?

  private let membership: Membership
  private let peers: PeerTable
  private let log: Log
  private var timer: Timer?
  /// When devices may be given a certificate again.
  private var renewals: [PeerID: ContinuousClock.Instant] = [:]
  /// The devices that were given a team's key and have not reported the result.
  private var promotions: [PeerID: Promotion] = [:]

  init(_ membership: Membership, _ peers: PeerTable, log: Log) {
    self.membership = membership
    self.peers = peers
    self.log = log
    timer = Timer { [weak self] in self?.check() }
    timer?.set(Loop.now + Limits.certificateCheckTime)
  }

  /// Renews certificates that expire soon, as far as that is possible now.
  func check() {
    timer?.set(Loop.now + Limits.certificateCheckTime)
    membership.renewOwnCertificates()
    for session in peers.sessions { ask(session) }
  }

  /// Called when a team's key was unlocked. Answers the peers that wait for it.
  func unlocked() { for session in peers.sessions where session.administration.awaitsCertificate { renew(session) } }

  /// Called when a session is ready.
  func began(_ session: PeerConnection) {
    session.administration.isAdministrator = session.certificate?.isAdministrator ?? false
    ask(session)
    tellDevices(session)
    // This session may have replaced another one, on which the message may have been lost.
    if let promotion = promotions[session.peer] { session.send(.promote(promotion.message)) }
  }

  /// Called when a session has ended.
  func ended(_ peer: PeerID) { promotionEnded(peer, .peerUnreachable) }

  /// How many devices wait for a certificate because the team's key is locked.
  func waiting(in team: TeamID) -> Int {
    peers.sessions.count { $0.peer.team == team && $0.administration.awaitsCertificate }
  }

  func receive(_ message: Message, from session: PeerConnection) {
    switch message {
    case .renew: renew(session)
    case .renewed(let renewed): take(renewed, from: session)
    case .promote(let promote): accept(promote, from: session)
    case .promoted(let promoted): promotionEnded(session.peer, promoted.reason)
    case .admitted(let admitted): learn(admitted, from: session)
    default: break
    }
  }

  // MARK: Certificates

  /// Requests another certificate from an administrator if this machine needs one.
  private func ask(_ session: PeerConnection) {
    guard session.administration.isAdministrator, membership.isCertificateDue(in: session.peer.team) else { return }
    session.send(.renew(Renew()))
  }

  private func renew(_ session: PeerConnection) {
    renewals = renewals.filter { $0.value > Loop.now }
    guard renewals[session.peer] == nil, let certificate = session.certificate else { return }
    session.administration.awaitsCertificate = false
    do throws(Reason) {
      guard let renewed = try membership.renew(certificate, in: session.peer.team) else { return }
      renewals[session.peer] = Loop.now + Limits.renewalInterval
      session.send(.renewed(Renewed(certificate: renewed)))
      log.notice("Renewed a device's certificate", describe(session.peer))
    } catch .notAdministrator {
      // The peer mistakes this machine for an administrator's.
    } catch .passphraseNeeded {
      session.administration.awaitsCertificate = true
    } catch {
      renewals[session.peer] = Loop.now + Limits.renewalInterval
      log.warning("A device's certificate cannot be renewed", describe(session.peer, error))
    }
  }

  private func take(_ renewed: Renewed, from session: PeerConnection) {
    // This device asks only administrators.
    guard session.administration.isAdministrator else { return session.leave(.protocolViolation) }
    do throws(Reason) {
      try membership.take(certificate: renewed.certificate, of: session.peer.team)
    } catch .certificateInvalid {
      session.leave(.protocolViolation)
    } catch {
      log.warning("A renewed certificate was not saved, and is requested again", describe(session.peer, error))
    }
  }

  // MARK: Administrators

  /// Gives a device the team's key.
  ///
  /// - Parameter completion: Called once, at most `Limits.promotionTime` later. If it gets `peerTimedOut`, the device
  ///   may have the key.
  func promote(_ peer: PeerID, completion: @escaping @Loop (Result<Void, Reason>) -> Void) {
    guard let session = peers.session(with: peer), let certificate = session.certificate else {
      return completion(.failure(.peerUnreachable))
    }
    guard promotions[peer] == nil else { return completion(.failure(.limitReached)) }
    let message: Promote
    do throws(Reason) {
      message = try membership.promote(certificate, in: peer.team)
    } catch {
      return completion(.failure(error))
    }
    log.notice("Giving a device the team's key", describe(peer))
    let timer = Timer { [weak self] in self?.promotionEnded(peer, .peerTimedOut) }
    promotions[peer] = Promotion(message, timer, completion)
    timer.set(Loop.now + Limits.promotionTime)
    session.send(.promote(message))
  }

  private func promotionEnded(_ peer: PeerID, _ reason: Reason?) {
    guard let promotion = promotions.removeValue(forKey: peer) else { return }
    promotion.timer.set(nil)
    guard let reason else {
      if let session = peers.session(with: peer) {
        session.administration.isAdministrator = true
        tellDevices(session)
      }
      return promotion.completion(.success(()))
    }
    promotion.completion(.failure(reason))
  }

  private func accept(_ promote: Promote, from session: PeerConnection) {
    // This machine cannot tell whether a sealed key is the team's. So the sender must be an administrator's, which has
    // the key.
    guard session.administration.isAdministrator else {
      return session.send(.promoted(Promoted(reason: .notAdministrator)))
    }
    do throws(Reason) {
      try membership.accept(promote, in: session.peer.team)
      session.send(.promoted(Promoted()))
      tellDevices(session)
    } catch {
      log.warning("The team's key was not accepted", describe(session.peer, error))
      session.send(.promoted(Promoted(reason: error)))
    }
  }

  /// Called when the list of devices that this machine has admitted has changed.
  func devicesChanged(_ team: TeamID) {
    for session in peers.sessions where session.peer.team == team { tellDevices(session) }
  }

  /// Tells another administrator which devices this machine has admitted, except for what it was told in this session.
  private func tellDevices(_ session: PeerConnection) {
    let team = session.peer.team
    guard session.administration.isAdministrator, membership.canAdminister(team) else { return }
    let devices = membership.told(team, name: deviceName?() ?? "").filter { $0.device != session.peer.device }
    for message in session.administration.take(from: devices) { session.send(.admitted(message)) }
  }

  private func learn(_ admitted: Admitted, from session: PeerConnection) {
    guard session.administration.isAdministrator else { return }
    let news = session.administration.received(admitted.devices.map(AdmittedDevice.init))
    guard !news.isEmpty else { return }
    do throws(Reason) {
      try membership.learn(news, in: session.peer.team)
    } catch .notAdministrator {
      // The peer mistakes this machine for an administrator's.
    } catch {
      log.warning("The devices that another administrator admitted were not saved", describe(session.peer, error))
    }
  }

  private func describe(_ peer: PeerID, _ reason: Reason? = nil) -> KeyValuePairs<String, String> {
    let (device, team) = (peer.device.description, peer.team.description)
    guard let reason else { return ["device": device, "team": team] }
    return ["device": device, "team": team, "reason": reason.rawValue]
  }
}
