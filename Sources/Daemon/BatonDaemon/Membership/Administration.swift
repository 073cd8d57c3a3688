// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Systemd
import TLS
import Teams

/// What the machines of a team tell each other about certificates and the team's key (Protocol.md section 9).
@Loop
final class Administration {
  /// The minimum time between two checks for certificates that expire soon. They are renewed in their last four months.
  private static let certificateCheckTime = Duration.seconds(6 * 60 * 60)
  /// The minimum time between two certificates that one device is given, because each is recorded on disk.
  nonisolated static let renewalInterval = Duration.seconds(60 * 60)
  /// The time from giving a device the team's key until the device says that it has the key on its disk.
  nonisolated static let promotionTime = Duration.seconds(10)

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

  let membership: Membership
  let peers: PeerTable
  private let settings: Settings
  let log: Log
  private var timer: Timer?
  /// When devices may be given a certificate again.
  private var renewals: [PeerID: ContinuousClock.Instant] = [:]
  /// The devices that were given a team's key and have not reported the result.
  private var promotions: [PeerID: Promotion] = [:]
  /// The devices for which a promotion is being written to the disk.
  private var beingPromoted: Set<PeerID> = []

  init(_ membership: Membership, _ peers: PeerTable, settings: Settings, log: Log) {
    self.membership = membership
    self.peers = peers
    self.settings = settings
    self.log = log
    timer = Timer { [weak self] in self?.check() }
    timer?.set(Loop.now + Self.certificateCheckTime)
  }

  /// Renews certificates that expire soon, as far as that is possible now.
  func check() {
    timer?.set(Loop.now + Self.certificateCheckTime)
    Loop.begin { [self] in
      await membership.renewOwnCertificates()
      for team in membership.teams where await membership.renewOwnRendezvous(of: team.id) {
        membership.host.rendezvousChanged()
      }
      for connection in peers.connections {
        ask(connection)
        askRendezvous(connection)
      }
    }
  }

  /// Called when a team's key was unlocked. Answers the peers that wait for it.
  func unlocked() {
    for connection in peers.connections where connection.administration.awaitsCertificate { renew(connection) }
  }

  /// Called when a session is ready.
  func began(_ connection: PeerConnection) {
    connection.administration.isAdministrator = connection.certificate?.isAdministrator ?? false
    ask(connection)
    askRendezvous(connection)
    tellDevices(connection)
    // This session may have replaced another one, on which the message may have been lost.
    if let promotion = promotions[connection.peer] { connection.send(promotion.message) }
  }

  /// Called when a session has ended.
  func ended(_ peer: PeerID) { promotionEnded(peer, .peerUnreachable) }

  /// How many devices wait for a certificate because the team's key is locked.
  func waiting(in team: TeamID) -> Int {
    peers.connections.count { $0.peer.team == team && $0.administration.awaitsCertificate }
  }

  func receive(_ message: TeamMessage, from connection: PeerConnection) {
    switch message {
    case .revocations(let list): peers.received(list, on: connection)
    case .renew: renew(connection)
    case .renewed(let renewed): take(renewed, from: connection)
    case .promote(let promote): accept(promote, from: connection)
    case .promoted(let promoted): promotionEnded(connection.peer, promoted.reason)
    case .admitted(let admitted): learn(admitted, from: connection)
    case .rendezvous(let access): take(access, from: connection)
    case .askRendezvous(let ask): answer(ask, on: connection)
    }
  }

  // MARK: Certificates

  /// Requests another certificate from an administrator if this machine needs one.
  private func ask(_ connection: PeerConnection) {
    guard connection.administration.isAdministrator, membership.isCertificateDue(in: connection.peer.team) else {
      return
    }
    connection.send(Renew())
  }

  private func renew(_ connection: PeerConnection) {
    renewals = renewals.filter { $0.value > Loop.now }
    guard renewals[connection.peer] == nil, let certificate = connection.certificate else { return }
    connection.administration.awaitsCertificate = false
    // From now on, so that it is made once.
    renewals[connection.peer] = Loop.now + Self.renewalInterval
    Loop.begin { [self] in await renew(certificate, of: connection) }
  }

  private func renew(_ certificate: Certificate, of connection: PeerConnection) async {
    do throws(Reason) {
      guard let renewed = try await membership.renew(certificate, of: connection.peer) else {
        renewals[connection.peer] = nil
        return
      }
      renewals[connection.peer] = Loop.now + Self.renewalInterval
      connection.send(Renewed(certificate: renewed))
      log.notice("Renewed a machine's certificate", describe(connection.peer))
    } catch .notAdministrator, .limitReached, .shuttingDown {
      // The peer mistakes this machine for an administrator's, or it asks again later.
      renewals[connection.peer] = nil
    } catch .passphraseNeeded {
      renewals[connection.peer] = nil
      connection.administration.awaitsCertificate = true
    } catch {
      renewals[connection.peer] = Loop.now + Self.renewalInterval
      log.warning("Can't renew a machine's certificate", describe(connection.peer, error))
    }
  }

  private func take(_ renewed: Renewed, from connection: PeerConnection) {
    // This device asks only administrators.
    guard connection.administration.isAdministrator else { return connection.leave(.protocolViolation) }
    Loop.begin { [self] in await save(renewed, from: connection) }
  }

  private func save(_ renewed: Renewed, from connection: PeerConnection) async {
    do throws(Reason) {
      try await membership.take(certificate: renewed.certificate, from: connection.peer)
    } catch .certificateInvalid {
      connection.leave(.protocolViolation)
    } catch {
      log.warning("Couldn't save a renewed certificate, so it's requested again", describe(connection.peer, error))
    }
  }

  // MARK: Administrators

  /// Gives a device the team's key.
  ///
  /// - Parameter completion: Called once, at most `promotionTime` later. If it gets `peerTimedOut`, the device
  ///   may have the key.
  func promote(_ peer: PeerID, for user: UserID, completion: @escaping @Loop (Result<Void, Reason>) -> Void) {
    guard let connection = peers.connection(with: peer), let certificate = connection.certificate else {
      return completion(.failure(.peerUnreachable))
    }
    guard promotions[peer] == nil, beingPromoted.insert(peer).inserted else {
      return completion(.failure(.limitReached))
    }
    Loop.begin { [self] in
      do throws(Reason) {
        let message = try await membership.promote(certificate, in: peer.team, for: user)
        beingPromoted.remove(peer)
        give(message, to: peer, completion: completion)
      } catch {
        beingPromoted.remove(peer)
        completion(.failure(error))
      }
    }
  }

  private func give(
    _ message: Promote,
    to peer: PeerID,
    completion: @escaping @Loop (Result<Void, Reason>) -> Void
  ) {
    guard let connection = peers.connection(with: peer) else { return completion(.failure(.peerUnreachable)) }
    log.notice("Giving a machine the team's key", describe(peer))
    let timer = Timer { [weak self] in self?.promotionEnded(peer, .peerTimedOut) }
    promotions[peer] = Promotion(message, timer, completion)
    timer.set(Loop.now + Self.promotionTime)
    connection.send(message)
  }

  private func promotionEnded(_ peer: PeerID, _ reason: Reason?) {
    guard let promotion = promotions.removeValue(forKey: peer) else { return }
    promotion.timer.set(nil)
    guard let reason else {
      if let connection = peers.connection(with: peer) {
        connection.administration.isAdministrator = true
        tellDevices(connection)
        tellRendezvous(connection)
      }
      return promotion.completion(.success(()))
    }
    promotion.completion(.failure(reason))
  }

  private func accept(_ promote: Promote, from connection: PeerConnection) {
    // This machine cannot tell whether a sealed key is the team's. So the sender must be an administrator's, which has
    // the key.
    guard connection.administration.isAdministrator else {
      return connection.send(Promoted(reason: .notAdministrator))
    }
    Loop.begin { [self] in await save(promote, from: connection) }
  }

  private func save(_ promote: Promote, from connection: PeerConnection) async {
    do throws(Reason) {
      try await membership.accept(promote, from: connection.peer)
      connection.send(Promoted())
      tellDevices(connection)
    } catch {
      log.warning("Couldn't accept the team's key", describe(connection.peer, error))
      connection.send(Promoted(reason: error))
    }
  }

  /// Called when the list of devices that this machine has admitted has changed.
  func devicesChanged(_ team: TeamID) {
    for connection in peers.connections where connection.peer.team == team { tellDevices(connection) }
  }

  /// Tells another administrator which devices this machine has admitted, except for what it was told in this session.
  private func tellDevices(_ connection: PeerConnection) {
    let team = connection.peer.team
    guard connection.administration.isAdministrator, membership.canAdminister(team) else { return }
    let devices = membership.told(team, name: settings.deviceName).filter { $0.device != connection.peer.device }
    for message in connection.administration.take(from: devices) { connection.send(message) }
  }

  private func learn(_ admitted: Admitted, from connection: PeerConnection) {
    guard connection.administration.isAdministrator else { return }
    let news = connection.administration.received(admitted.devices.map(AdmittedDevice.init))
    guard !news.isEmpty else { return }
    Loop.begin { [self] in await save(news, from: connection) }
  }

  private func save(_ news: [AdmittedDevice], from connection: PeerConnection) async {
    do throws(Reason) {
      try await membership.learn(news, from: connection.peer)
    } catch .notAdministrator {
      // The peer mistakes this machine for an administrator's.
    } catch {
      log.warning("Couldn't save the machines that another admin machine admitted", describe(connection.peer, error))
    }
  }

  private func describe(_ peer: PeerID, _ reason: Reason? = nil) -> KeyValuePairs<String, String> {
    let (device, team) = (peer.device.description, peer.team.description)
    guard let reason else { return ["device": device, "team": team] }
    return ["device": device, "team": team, "reason": reason.rawValue]
  }
}
