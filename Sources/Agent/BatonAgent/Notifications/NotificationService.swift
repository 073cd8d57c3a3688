// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Desktop
import EventLoop
import Glibc
import Systemd
import Varlink
import VarlinkClient

/// Shows what other machines offer and this machine could continue.
@Loop
final class NotificationService: AgentPart {
  /// The time after the agent's start at which it assumes that the screen is unlocked, if nothing has reported the
  /// screen's state.
  private static let screenTime = Duration.seconds(2)

  private let socket: String?
  private var offers: OfferList?
  private let describe: @Loop (ControlOffer) -> OfferNotice?
  private var notifier: OfferNotifier?
  private var known: [ControlOffer] = []
  /// The calls that open offers for their notifications.
  private var opening: [OfferNotice.ID: ControlCall<OpenOffer>] = [:]
  private let announcer: LaunchAnnouncer
  private let muted: MutedMachines
  private let login: Logind
  /// Called when the user does not want files that a machine sends.
  var decline: (@Loop (OfferNotice.ID) -> Void)?
  /// Called when the screen is locked or unlocked.
  var onScreenChange: (@Loop (_ isLocked: Bool) -> Void)?
  /// Runs until it is known whether the screen is locked.
  private var waiting: Timer?

  /// - Parameters:
  ///   - socket: The daemon's socket; nil for the default one.
  ///   - describe: Returns what to say about an offer; nil if nothing here could continue it.
  init(
    socket: String?,
    _ environment: ProcessEnvironment,
    log: Log,
    describe: @escaping @Loop (ControlOffer) -> OfferNotice?
  ) {
    self.socket = socket
    self.describe = describe
    announcer = LaunchAnnouncer(environment)
    muted = MutedMachines(environment, log: log)
    login = Logind(screensOnly: true) { log.info($0) }
    muted.onChange = { [weak self] in self?.applicationsChanged() }
    notifier = OfferNotifier(log: log) { [weak self] notice, token, completion in
      self?.announcer.getToken(insteadOf: token) { self?.open(notice, $0, completion: completion) }
    } decline: { [weak self] in
      self?.decline?($0)
    } mute: { [muted] in
      muted.mute($0, name: $1)
    }
  }

  func start() {
    notifier?.start()
    muted.start()
    waiting = Timer { [weak self] in self?.begin() }
    waiting?.set(Loop.now + Self.screenTime)
    login.onEvent = { [weak self] event in
      guard case .lockedUsers(let users) = event else { return }
      self?.notifier?.screenChanged(isLocked: users.contains(getuid()))
      self?.onScreenChange?(users.contains(getuid()))
    }
    login.onKnown = { [weak self] in self?.begin() }
    login.start()
  }

  private func begin() {
    guard waiting != nil else { return }
    waiting = nil
    offers = OfferList(path: socket) { [weak self] in self?.changed($0) }
  }

  func stop(_ completion: @escaping @Loop () -> Void) {
    offers = nil
    muted.stop()
    login.stop()
    waiting = nil
    opening = [:]
    guard let notifier else { return completion() }
    notifier.stop(completion: completion)
  }

  func stop() { stop {} }

  func applicationsChanged() { changed(known) }

  /// Looks again at what may be shown.
  func refresh() { changed(known) }

  private func changed(_ offers: [ControlOffer]) {
    known = offers
    notifier?.offersChanged(offers.filter { !muted.devices.contains($0.deviceID) }.compactMap(describe))
  }

  private func open(
    _ notice: OfferNotice,
    _ token: String?,
    completion: @escaping @Loop (OfferNotifier.Opening) -> Void
  ) {
    let offer = notice.id
    let parameters = OpenOffer.Parameters(
      id: offer.activity,
      deviceID: offer.deviceID,
      activationToken: token.flatMap { ActivationToken.isValid($0) ? $0 : nil },
      shown: ShownOffer(activityType: notice.activityType, title: notice.title, webpageHost: notice.pageHost)
    )
    do throws(ControlError) {
      opening[offer] = try ControlCall(OpenOffer.self, parameters, path: socket) { [weak self] result in
        self?.opening[offer] = nil
        switch result {
        case .success: completion(.opened)
        case .failure(.failed(let failure)) where failure.reason == .activityChanged: completion(.changed)
        case .failure(let error): completion(.failed(error.description))
        }
      }
    } catch {
      let why = error.description
      Task { @Loop in completion(.failed(why)) }
    }
  }
}
