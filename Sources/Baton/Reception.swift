import Foundation

/// Decides what an app is told about the continuations that its user requests. There is one at a time, and each one
/// that begins ends once.
///
/// The legal transitions are `idle → fetching → idle`. A newer continuation ends the older one first.
struct Reception {
  enum Event {
    /// The user continues an offer.
    case began(OfferName, type: String)
    /// The daemon answered the fetch of an offer.
    case fetched(OfferName, Result<NSUserActivity, HandoffFailure>)
  }

  enum Effect {
    case tellWillContinue(type: String)
    case fetch(OfferName)
    /// Stop waiting for the activity that is being fetched. It stays where it is.
    case abandonFetch
    case deliver(NSUserActivity)
    case tellFailure(type: String, CocoaError)
  }

  private var fetching: (offer: OfferName, type: String)?

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .began(let offer, let type):
      let earlier = fetching
      // Its answer is already on its way.
      if earlier?.offer == offer { return [] }
      fetching = (offer, type)
      let cancelled = earlier.map { [.abandonFetch, Effect.tellFailure(type: $0.type, CocoaError(.userCancelled))] }
      return (cancelled ?? []) + [.tellWillContinue(type: type), .fetch(offer)]
    case .fetched(let offer, let result):
      // This one was cancelled, and the app knows that.
      guard let (current, type) = fetching, current == offer else { return [] }
      fetching = nil
      switch result {
      case .success(let activity): return [.deliver(activity)]
      case .failure(let failure): return [.tellFailure(type: type, failure.cocoaError)]
      }
    }
  }
}
