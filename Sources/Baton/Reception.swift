import Foundation

/// What an app is told of the continuations that its user asks for, without the app: one at a time, and each that was begun ends
/// once.
///
/// Legal transitions: `idle → fetching → idle`; a newer continuation ends the older one first.
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
    /// Nobody waits for what is being fetched any more: it stays where it is.
    case abandonFetch
    case deliver(NSUserActivity)
    case tellFailure(type: String, CocoaError)
  }

  private var fetching: (offer: OfferName, type: String)?

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .began(let offer, let type):
      let earlier = fetching
      // Its answer is on its way already.
      if earlier?.offer == offer { return [] }
      fetching = (offer, type)
      let cancelled = earlier.map { [.abandonFetch, Effect.tellFailure(type: $0.type, CocoaError(.userCancelled))] }
      return (cancelled ?? []) + [.tellWillContinue(type: type), .fetch(offer)]
    case .fetched(let offer, let result):
      // Of one that was cancelled: its app knows.
      guard let (current, type) = fetching, current == offer else { return [] }
      fetching = nil
      switch result {
      case .success(let activity): return [.deliver(activity)]
      case .failure(let failure): return [.tellFailure(type: type, failure.cocoaError)]
      }
    }
  }
}
