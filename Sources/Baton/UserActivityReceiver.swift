import EventLoop
import Foundation
import Synchronization

/// What a ``UserActivityReceiver`` tells. All methods may be left out; all are called on the receiver's queue.
public protocol UserActivityReceiverDelegate: AnyObject {
  /// The user continues an activity, which is being fetched.
  ///
  /// - Returns: True where the app shows it itself.
  func receiver(_ receiver: UserActivityReceiver, willContinueUserActivityWithType userActivityType: String) -> Bool

  /// The activity is there.
  ///
  /// - Returns: True where the app has dealt with it.
  func receiver(_ receiver: UserActivityReceiver, continue userActivity: NSUserActivity) -> Bool

  /// The activity could not be had; see ``UserActivityApplicationDelegate``.
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
  ) { Complaint.write("\(userActivityType) could not be continued: \(error.localizedDescription)") }
}

/// Continues activities of other machines on a queue of the app's choice: for programs whose main thread runs no run loop.
/// Others use ``UserActivityApplication``.
///
/// May be used from any thread.
public final class UserActivityReceiver: Sendable {
  /// Where the delegate and ``onOffersChange`` are called.
  public let queue: DispatchQueue

  private struct State {
    weak var delegate: (any UserActivityReceiverDelegate)?
    var types: Set<String>
    var all: [UserActivityOffer] = []
    var onOffersChange: (([UserActivityOffer]) -> Void)?
    /// The offers that were told last.
    var told: [UserActivityOffer]?
    var reception = Reception()
    var fetch: FetchRequest?
    var list: OfferList?
    var registration: Registration?
  }

  /// The delegate is the app's, and is used on `queue` only; the lock is what makes the rest safe.
  private struct Unchecked: @unchecked Sendable { var state: State }

  private let lock: Mutex<Unchecked>

  /// Begins to follow the offers of other machines.
  ///
  /// - Parameters:
  ///   - activityTypes: What the app continues.
  ///   - queue: A serial one.
  ///   - delegate: Not retained.
  public init(activityTypes: Set<String>, queue: DispatchQueue, delegate: any UserActivityReceiverDelegate) {
    self.queue = queue
    lock = Mutex(Unchecked(state: State(delegate: delegate, types: activityTypes)))
    Task { @Loop [weak self] in
      let list = OfferList { self?.offered($0) }
      self?.withState { $0.list = list }
    }
    register(activityTypes)
  }

  private func withState<Value>(_ body: (inout State) -> Value) -> Value {
    lock.withLock { unchecked in
      nonisolated(unsafe) let value = body(&unchecked.state)
      return value
    }
  }

  /// What other machines offer of the app's types, the newest first.
  public var offers: [UserActivityOffer] {
    withState { state in state.all.filter { state.types.contains($0.activityType) } }
  }

  /// Called on the queue with the offers, whenever they have changed.
  public var onOffersChange: (([UserActivityOffer]) -> Void)? {
    get { withState { $0.onOffersChange } }
    set {
      // Released outside the lock: what it holds may come back here.
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

  /// Names what the app continues from now on.
  public func setActivityTypes(_ types: Set<String>) {
    withState { $0.types = types }
    register(types)
    tellOffers()
  }

  /// Continues an offer; the delegate is told from now on. Another continuation that is still under way ends with
  /// `CocoaError.userCancelled`.
  public func continueActivity(_ offer: UserActivityOffer) {
    begin(OfferName(id: offer.id, device: offer.deviceID), offer.activityType)
  }

  private func begin(_ offer: OfferName, _ type: String) {
    queue.async { self.handle(.began(offer, type: type)) }
  }

  /// Lets `baton open` find this app.
  private func register(_ types: Set<String>) {
    Task { @Loop [weak self] in
      let registration = types.isEmpty ? nil : Registration(types) { self?.begin($0, $1) }
      self?.withState { $0.registration = registration }
    }
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
    case .deliver(let activity): _ = delegate?.receiver(self, continue: activity)
    case .tellFailure(let type, let error):
      delegate?.receiver(self, didFailToContinueUserActivityWithType: type, error: error)
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
          // The answer to one that was abandoned meanwhile is nobody's.
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
