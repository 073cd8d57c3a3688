// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Handoff

/// Carries out what `Launching` decides, and reports events to it.
@Loop
final class LaunchingShell {
  private(set) var machine = Launching()
  private var applications: [ClientID: @Loop (Launching.Offer, _ activationToken: String?) -> Void] = [:]
  private var launchers: [ClientID: @Loop (LaunchRequest) -> Void] = [:]
  private var openers: [ClientID: @Loop (Reason?) -> Void] = [:]
  private let offerWatchers: Watchers
  private var lastClient: UInt64 = 0
  private var timer: Timer?

  /// - Parameter offerWatchers: The clients to tell when a program has registered types, or when one that had
  ///   registered types is gone.
  init(offerWatchers: Watchers) {
    self.offerWatchers = offerWatchers
    timer = Timer { [weak self] in self?.handle(.wake) }
  }

  /// - Parameter name: See `RegisterApplication`.
  func addApplication(
    _ types: Set<String>,
    name: String?,
    _ user: UserID,
    requestContinuation: @escaping @Loop (Launching.Offer, _ activationToken: String?) -> Void
  ) -> ClientID {
    let client = nextClient()
    applications[client] = requestContinuation
    handle(.applicationRegistered(client, types: types, application: name, user: user))
    offerWatchers.changed()
    return client
  }

  func addLauncher(
    _ types: Set<String>,
    isIncomplete: Bool,
    _ user: UserID,
    requestLaunch: @escaping @Loop (LaunchRequest) -> Void
  ) -> ClientID {
    let client = nextClient()
    launchers[client] = requestLaunch
    handle(.launcherRegistered(client, types: types, isIncomplete: isIncomplete, user: user))
    return client
  }

  /// - Parameter answer: Called once, perhaps before this returns, unless the client leaves; with nil if an app
  ///   continues the offer.
  func open(
    _ offer: Launching.Offer,
    activationToken: String?,
    _ user: UserID,
    answer: @escaping @Loop (Reason?) -> Void
  ) -> ClientID {
    let client = nextClient()
    openers[client] = answer
    handle(.opened(offer, activationToken: activationToken, client: client, user: user))
    return client
  }

  func remove(_ client: ClientID) {
    let wasApplication = applications.removeValue(forKey: client) != nil
    launchers[client] = nil
    openers[client] = nil
    handle(.clientLeft(client))
    if wasApplication { offerWatchers.changed() }
  }

  func handle(_ event: Launching.Event) {
    for effect in machine.handle(event, at: Loop.now) { perform(effect) }
  }

  private func nextClient() -> ClientID {
    lastClient += 1
    return ClientID(lastClient)
  }

  /// No effect causes another event before this returns.
  private func perform(_ effect: Launching.Effect) {
    switch effect {
    case .requestContinuation(let client, let offer, let token): applications[client]?(offer, token)
    case .requestLaunch(let client, let launch, let offer, let token):
      launchers[client]?(
        LaunchRequest(
          launch: launch,
          id: offer.id,
          deviceID: offer.peer?.device,
          activityType: offer.activityType,
          application: offer.application,
          team: offer.peer?.team.description,
          hasWebPage: offer.hasWebPage,
          webpageHost: offer.webpageHost,
          activationToken: token
        )
      )
    case .succeed(let client): openers.removeValue(forKey: client)?(nil)
    case .fail(let client, let reason): openers.removeValue(forKey: client)?(reason)
    case .wake(let instant): timer?.set(instant)
    }
  }
}
