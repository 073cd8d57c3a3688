// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import VarlinkClient

/// The methods that a ``UserActivityReceiver`` calls to inform an app. All of them are optional, and are called on the
/// receiver's queue.
public protocol UserActivityReceiverDelegate: AnyObject {
  /// Called when the user continues an activity, while it is being fetched.
  ///
  /// - Returns: True if the app shows the progress itself.
  func receiver(_ receiver: UserActivityReceiver, willContinueUserActivityWithType userActivityType: String) -> Bool

  /// Called when the activity has arrived.
  ///
  /// - Returns: True if the app has handled the activity.
  func receiver(_ receiver: UserActivityReceiver, continue userActivity: NSUserActivity) -> Bool

  /// Called when the activity couldn't be fetched; see ``UserActivityApplicationDelegate``.
  func receiver(
    _ receiver: UserActivityReceiver,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  )
}

extension UserActivityReceiverDelegate {
  public func receiver(
    _ receiver: UserActivityReceiver,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool { false }

  public func receiver(_ receiver: UserActivityReceiver, continue userActivity: NSUserActivity) -> Bool { false }

  public func receiver(
    _ receiver: UserActivityReceiver,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) { Complaint.couldNotContinue(userActivityType, error) }
}

/// Continues other machines' activities on a queue of the app's choice. Use it in programs whose main thread runs no
/// run loop; otherwise, use ``UserActivityApplication``.
///
/// You can use it from any thread.
public final class UserActivityReceiver: Sendable {
  /// The queue on which the delegate and ``onOffersChange`` are called.
  public let queue: DispatchQueue

  private struct State {
    weak var delegate: (any UserActivityReceiverDelegate)?
    /// See ``UserActivityReceiver/onContinue(_:perform:)``.
    var handlers: [String: @Sendable (NSUserActivity) -> Void] = [:]
    var types: Set<String>
    var all: [UserActivityOffer] = []
    var onOffersChange: (@Sendable ([UserActivityOffer]) -> Void)?
    /// The offers that the app was last told about.
    var told: [UserActivityOffer]?
    var reception = Reception()
    var fetch: FetchRequest?
    var list: OfferList?
    var registration: ApplicationRegistration?
  }

  /// The delegate is the app's, and is only used on `queue`. The lock makes the rest safe.
  private let state: Locked<State>

  /// Starts following other machines' offers.
  ///
  /// - Parameters:
  ///   - activityTypes: The types that the app continues.
  ///   - queue: A serial queue.
  ///   - delegate: The delegate. It isn't retained.
  public init(
    activityTypes: Set<String> = [],
    queue: DispatchQueue,
    delegate: (any UserActivityReceiverDelegate)? = nil
  ) {
    self.queue = queue
    state = Locked(State(delegate: delegate, types: activityTypes))
    Task { @Loop [weak self] in
      let list = OfferList { self?.offered($0.compactMap(UserActivityOffer.init)) }
      self?.withState { $0.list = list }
    }
    register(activityTypes)
  }

  private func withState<Value>(_ body: (inout State) -> Value) -> Value { state.withLock(body) }

  /// Other machines' offers of the app's types, the newest first. If the types include
  /// ``NSUserActivityTypeBrowsingWeb``, all offers with a web page are included.
  public var offers: [UserActivityOffer] {
    withState { state in state.all.filter { $0.arrivingType(state.types) != nil } }
  }

  /// Called on the queue with the offers whenever they change. An offer that was continued and comes back is a change,
  /// because its ``UserActivityOffer/generation`` differs.
  public var onOffersChange: (@Sendable ([UserActivityOffer]) -> Void)? {
    get { withState { $0.onOffersChange } }
    set {
      // The old value is released outside the lock, because its contents may call back into this object.
      let old = withState { state in
        defer {
          state.onOffersChange = newValue
          state.told = nil
        }
        return state.onOffersChange
      }
      withExtendedLifetime(old) { tellOffers() }
    }
  }

  /// Continues activities of a type with a closure instead of the delegate's `receiver(_:continue:)`.
  ///
  /// - Parameters:
  ///   - activityType: The type. The app continues it from now on.
  ///   - action: Called on ``queue`` with each activity of the type that arrives. It replaces any earlier action.
  public func onContinue(_ activityType: String, perform action: @escaping @Sendable (NSUserActivity) -> Void) {
    let (old, types) = withState { state in
      defer { state.handlers[activityType] = action }
      state.types.insert(activityType)
      return (state.handlers[activityType], state.types)
    }
    // The old closure is released outside the lock, because its contents may call back into this object.
    withExtendedLifetime(old) { setActivityTypes(types) }
  }

  /// Sets the types that the app continues from now on.
  public func setActivityTypes(_ types: Set<String>) {
    withState { $0.types = types }
    register(types)
    tellOffers()
  }

  /// Continues an offer. The delegate is informed from then on. Any other continuation still in progress ends with
  /// `CocoaError.userCancelled`.
  public func continueActivity(_ offer: UserActivityOffer) {
    let type = offer.arrivingType(withState { $0.types }) ?? offer.activityType
    begin(OfferName(id: offer.id, device: offer.deviceID, generation: offer.generation), type)
  }

  private func begin(_ offer: OfferName, _ type: String) {
    queue.async { self.handle(.began(offer, type: type)) }
  }

  /// Registers the types, so that `baton open` finds this app. An app without types is also registered, because people
  /// can open its search results.
  private func register(_ types: Set<String>) {
    Task { @Loop [weak self] in
      let registration = ApplicationRegistration(types) { self?.requested($0) }
      self?.withState { $0.registration = registration }
    }
  }

  /// Begins the continuation that the user requested elsewhere.
  private func requested(_ request: ApplicationRegistration.Request) {
    var (offer, type) = (request.offer, request.activityType)
    let (known, types) = withState { state in
      (state.all.first { $0.id == offer.id && $0.deviceID == offer.device }, state.types)
    }
    offer.generation = known?.generation ?? 0
    // The daemon asks for a different type only if the app takes pages, or has made the activity itself.
    let isPage = !request.isOurs && !types.contains(type) && types.contains(NSUserActivityTypeBrowsingWeb)
    if isPage { type = NSUserActivityTypeBrowsingWeb }
    begin(offer, type)
  }

  private func offered(_ offers: [UserActivityOffer]) {
    withState { $0.all = offers }
    tellOffers()
  }

  private func tellOffers() {
    queue.async { [weak self] in
      guard let self else { return }
      let offers = self.offers
      let isNews = self.withState { state in
        defer { state.told = offers }
        return state.told != offers
      }
      if isNews { self.onOffersChange?(offers) }
    }
  }

  // MARK: On the queue

  private func handle(_ event: Reception.Event) {
    for effect in withState({ $0.reception.handle(event) }) { perform(effect) }
  }

  private func perform(_ effect: Reception.Effect) {
    let delegate = withState { $0.delegate }
    switch effect {
    case .tellWillContinue(let type): _ = delegate?.receiver(self, willContinueUserActivityWithType: type)
    case .deliver(let activity):
      if let handler = withState({ $0.handlers[activity.activityType] }) { return handler(activity) }
      _ = delegate?.receiver(self, continue: activity)
    case .tellFailure(let type, let error):
      guard let delegate else { return Complaint.couldNotContinue(type, error) }
      delegate.receiver(self, didFailToContinueUserActivityWithType: type, error: error)
    case .fetch(let offer): fetch(offer)
    case .abandonFetch: abandonFetch()
    }
  }

  private func fetch(_ offer: OfferName) {
    let request = FetchRequest()
    withState { $0.fetch = request }
    Task { @Loop in
      request.begin(offer) { result in
        self.queue.async {
          // If the request was abandoned in the meantime, nobody needs the answer.
          guard self.withState({ $0.fetch }) === request else { return }
          self.handle(.fetched(offer, result.map(NSUserActivity.init)))
        }
      }
    }
  }

  private func abandonFetch() {
    let request = withState { state in
      defer { state.fetch = nil }
      return state.fetch
    }
    Task { @Loop in request?.abandon() }
  }
}
