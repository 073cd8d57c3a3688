// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides which program of this machine continues an offer that its user opens. The first of these does:
///
/// - if an app is wanted, a running program with its name;
/// - that app, which the user's launcher starts;
/// - a running program that takes the type;
/// - an app for the type, which the user's launcher starts;
/// - a running program that takes pages (``ActivityRecord/webPageType``), if the offer has a page;
/// - whatever the launcher shows the page with.
///
/// A launch is pending from the request to the launcher until one of these happens:
///
/// - A program of the user registers the type. It is then asked to continue, like any other.
/// - A program that was started without registering has continued the offer.
/// - The launcher reports that it failed, or that it continued the offer itself. If it failed, a running program that
///   takes pages gets the offer.
///
/// All the while, the offer stays with its origin.
package struct Launching: Sendable {
  /// The offer that is opened.
  package struct Offer: Equatable, Sendable {
    package let id: ActivityID
    package let activityType: String
    package let title: String?
    /// Nil for an activity of this machine.
    package let peer: PeerID?
    package fileprivate(set) var hasWebPage: Bool
    package let webpageHost: String?
    /// Whether the page is of a server of this machine. A program that takes pages refuses it, because it can't tell it
    /// from another machine's; the launcher shows it.
    package let isWebPageOfThisMachine: Bool
    /// The name of the app that is wanted. Nil for any that takes the offer.
    package fileprivate(set) var application: String?

    package init(
      id: ActivityID,
      activityType: String,
      title: String? = nil,
      peer: PeerID?,
      hasWebPage: Bool,
      webpageHost: String? = nil,
      isWebPageOfThisMachine: Bool = false,
      application: String? = nil
    ) {
      self.id = id
      self.activityType = activityType
      self.title = title
      self.peer = peer
      self.hasWebPage = hasWebPage
      self.webpageHost = webpageHost
      self.isWebPageOfThisMachine = isWebPageOfThisMachine
      self.application = application
    }

    /// Whether only the app that is wanted understands it.
    fileprivate var isPrivate: Bool { activityType == ActivityRecord.searchItemType }

    /// Whether a running program takes it for its type alone.
    fileprivate var isForPrograms: Bool {
      !isPrivate && !(isWebPageOfThisMachine && activityType == ActivityRecord.webPageType)
    }
  }

  package enum Report: Equatable, Sendable {
    /// The launcher started an app.
    case launching
    case continued
    case failed(Reason)
  }

  package enum Event: Equatable, Sendable {
    /// - Parameter application: The name of the app. Nil if it has not said it.
    case applicationRegistered(ClientID, types: Set<String>, application: String? = nil, user: UserID)
    /// - Parameters:
    ///   - types: The types that it has apps for. It is asked about other types, too.
    ///   - isIncomplete: Whether it may have apps for other types.
    case launcherRegistered(ClientID, types: Set<String>, isIncomplete: Bool = false, user: UserID)
    /// A user opened an offer. This is answered once, by `.succeed` or `.fail`, unless the client leaves first.
    case opened(Offer, activationToken: String?, client: ClientID, user: UserID)
    case reported(launch: String, Report, user: UserID)
    /// A program of the user has received the activity.
    case continued(ActivityID, user: UserID)
    case clientLeft(ClientID)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Ask the app to continue.
    case requestContinuation(ClientID, Offer, activationToken: String? = nil)
    /// Ask the launcher for the app that is wanted, or else for any. The offer has no page if a running program would
    /// show it.
    case requestLaunch(ClientID, launch: String, Offer, activationToken: String?)
    case succeed(ClientID)
    case fail(ClientID, Reason)
    /// Send `.wake` at this instant, and not at one that was named before. Nil: do not send it.
    case wake(at: ContinuousClock.Instant?)
  }

  private struct Registration {
    let client: ClientID
    let types: Set<String>
    var application: String?
    var isIncomplete = false
    let user: UserID

    /// Whether the program takes an offer that waits for an app. One that does not say its name can be any app.
    func takes(_ offer: Offer) -> Bool {
      if let name = offer.application, application != nil || offer.isPrivate { return application == name }
      return offer.isForPrograms && types.contains(offer.activityType)
    }
  }

  private struct Launch {
    var number: UInt64
    var offer: Offer
    let activationToken: String?
    let user: UserID
    let deadline: ContinuousClock.Instant
    var launcher: ClientID
    /// Whether an app was started.
    var isLaunching = false
    /// Whether a program of the user has received the activity.
    var isContinued = false
    /// The clients that wait for the outcome.
    var clients: [ClientID]
  }

  /// The newest last.
  private var applications: [Registration] = []
  private var launchers: [Registration] = []
  /// The oldest first.
  private var launches: [Launch] = []
  private var lastNumber: UInt64 = 0
  private var effects: [Effect] = []

  package init() {}

  /// Returns the types that running programs, and apps that can be started, accept of a user's offers.
  package func types(takenFor user: UserID) -> Set<String> {
    (applications + launchers).reduce(into: []) { if $1.user == user { $0.formUnion($1.types) } }
  }

  /// Whether apps may accept more than these types.
  package func isIncomplete(for user: UserID) -> Bool { launchers.contains { $0.user == user && $0.isIncomplete } }

  /// Whether a running program of the user accepts the type.
  package func hasApplication(for activityType: String, user: UserID) -> Bool {
    application(for: activityType, user) != nil
  }

  /// Whether a running program of the user takes pages, whatever their type.
  package func takesPages(_ user: UserID) -> Bool { application(for: ActivityRecord.webPageType, user) != nil }

  /// The running program that takes the type. The one that registered last is the one that the user sees.
  private func application(for activityType: String, _ user: UserID) -> ClientID? {
    guard activityType != ActivityRecord.searchItemType else { return nil }
    return applications.last { $0.user == user && $0.types.contains(activityType) }?.client
  }

  /// The running program that comes before all that could be started.
  private func application(for offer: Offer, _ user: UserID) -> ClientID? {
    guard let name = offer.application else {
      return offer.isForPrograms ? application(for: offer.activityType, user) : nil
    }
    return applications.last { $0.user == user && $0.application == name }?.client
  }

  /// The running program that takes the offer's page.
  private func pageApplication(for offer: Offer, _ user: UserID) -> ClientID? {
    guard offer.hasWebPage, !offer.isWebPageOfThisMachine else { return nil }
    return application(for: ActivityRecord.webPageType, user)
  }

  package var applicationCount: Int { applications.count }
  package var launcherCount: Int { launchers.count }
  package var launchCount: Int { launches.count }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    effects = []
    switch event {
    case .applicationRegistered(let client, let types, let name, let user):
      let registration = Registration(client: client, types: types, application: name, user: user)
      applications.append(registration)
      give(to: registration)
    case .launcherRegistered(let client, let types, let isIncomplete, let user):
      launchers.append(Registration(client: client, types: types, isIncomplete: isIncomplete, user: user))
    case .opened(let offer, let token, let client, let user): open(offer, token, client, user, now)
    case .reported(let launch, let report, let user):
      guard let index = launches.firstIndex(where: { "\($0.number)" == launch && $0.user == user }) else { break }
      switch report {
      case .launching:
        launches[index].isLaunching = true
        if launches[index].isContinued { end(index, nil) }
      case .continued: end(index, nil)
      case .failed(let reason): launchFailed(index, reason)
      }
    case .continued(let id, let user):
      guard let index = launches.firstIndex(where: { $0.offer.id == id && $0.user == user }) else { break }
      // By the launcher itself, or by an app that the launcher has not reported yet. Its report will follow.
      launches[index].isContinued = true
      if launches[index].isLaunching { end(index, nil) }
    case .clientLeft(let client): leave(client)
    case .wake: break
    }
    while let late = launches.firstIndex(where: { $0.deadline <= now }) { end(late, .launchTimedOut) }
    return effects + [.wake(at: launches.map(\.deadline).min())]
  }

  private mutating func open(
    _ offer: Offer,
    _ token: String?,
    _ client: ClientID,
    _ user: UserID,
    _ now: ContinuousClock.Instant
  ) {
    if application(for: offer, user) == nil,
      let index = launches.firstIndex(where: {
        $0.offer.id == offer.id && $0.offer.peer == offer.peer && $0.user == user
      })
    {
      launches[index].clients.append(client)
      return
    }
    switch choose(offer, user) {
    case nil: effects.append(.fail(client, .applicationNotFound))
    case .application(let application, let offer):
      effects += [.requestContinuation(application, offer, activationToken: token), .succeed(client)]
    case .launcher(let launcher, let offer):
      guard launches.count(where: { $0.user == user }) < Limits.launchesPerUser else {
        return effects.append(.fail(client, .limitReached))
      }
      lastNumber += 1
      let launch = Launch(
        number: lastNumber,
        offer: offer,
        activationToken: token,
        user: user,
        deadline: now + Limits.launchTime,
        launcher: launcher,
        clients: [client]
      )
      launches.append(launch)
      request(launch)
    }
  }

  private enum Choice {
    case application(ClientID, Offer)
    case launcher(ClientID, Offer)
  }

  /// Chooses what continues an offer, or what could start it. Nil if there is nothing.
  private func choose(_ offer: Offer, _ user: UserID) -> Choice? {
    if let application = application(for: offer, user) { return .application(application, offer) }
    let launcher = launchers.last { $0.user == user }
    if offer.application != nil {
      return launcher.map { .launcher($0.client, offer) } ?? chooseAny(offer, user)
    }
    if offer.isPrivate { return nil }
    if launcher?.types.contains(offer.activityType) != true, let application = pageApplication(for: offer, user) {
      return .application(application, offer)
    }
    return launcher.map { .launcher($0.client, offer) }
  }

  /// Does the same if the app that is wanted is not there.
  private func chooseAny(_ offer: Offer, _ user: UserID) -> Choice? {
    var offer = offer
    offer.application = nil
    return choose(offer, user)
  }

  /// Lets another program continue the offer, if there is one.
  private mutating func launchFailed(_ index: Int, _ reason: Reason) {
    let (offer, user) = (launches[index].offer, launches[index].user)
    guard offer.application != nil else {
      guard let application = pageApplication(for: offer, user) else { return end(index, reason) }
      return give(index, to: application)
    }
    switch reason == .applicationNotFound ? chooseAny(offer, user) : nil {
    case nil: end(index, reason)
    case .application(let application, let offer):
      launches[index].offer = offer
      give(index, to: application)
    case .launcher(let launcher, let offer):
      // A launcher carries out each request once.
      lastNumber += 1
      (launches[index].number, launches[index].offer, launches[index].launcher) = (lastNumber, offer, launcher)
      request(launches[index])
    }
  }

  private mutating func request(_ launch: Launch) {
    var offer = launch.offer
    if pageApplication(for: offer, launch.user) != nil { offer.hasWebPage = false }
    effects.append(
      .requestLaunch(
        launch.launcher,
        launch: "\(launch.number)",
        offer,
        activationToken: launch.activationToken
      )
    )
  }

  /// Passes pending launches to a program that takes them. What a program has received is no longer to be had: a
  /// browser that the launcher started for a page registers, too.
  private mutating func give(to program: Registration) {
    while let index = launches.firstIndex(where: {
      $0.user == program.user && !$0.isContinued && program.takes($0.offer)
    }) {
      give(index, to: program.client)
    }
  }

  private mutating func give(_ index: Int, to client: ClientID) {
    let launch = launches[index]
    effects.append(.requestContinuation(client, launch.offer, activationToken: launch.activationToken))
    end(index, nil)
  }

  /// - Parameter reason: Why the launch failed. Nil if it did not.
  private mutating func end(_ index: Int, _ reason: Reason?) {
    for client in launches.remove(at: index).clients {
      effects.append(reason.map { .fail(client, $0) } ?? .succeed(client))
    }
  }

  private mutating func leave(_ client: ClientID) {
    applications.removeAll { $0.client == client }
    launchers.removeAll { $0.client == client }
    for index in launches.indices.reversed() {
      // A launch continues although the client that asked for it has left, because the app is coming.
      launches[index].clients.removeAll { $0 == client }
      guard launches[index].launcher == client else { continue }
      if let next = launchers.last(where: { $0.user == launches[index].user }) {
        launches[index].launcher = next.client
        if !launches[index].isLaunching { request(launches[index]) }
      } else if !launches[index].isLaunching {
        launchFailed(index, .applicationNotFound)
      }
    }
  }
}
