import Foundation

/// What an app is told of the continuations that its user asks for, without the app: one at a time, and each that was begun ends
/// once.
///
/// Legal transitions: `idle → fetching → idle`; a newer continuation ends the older one first.
struct Reception {
  enum Event {
    /// The user continues an offer.
    case began(id: UUID, type: String)
    /// The daemon answered the fetch of an offer.
    case fetched(id: UUID, Result<NSUserActivity, HandoffFailure>)
  }

  enum Effect {
    case tellWillContinue(type: String)
    case fetch(id: UUID)
    /// Nobody waits for what is being fetched any more: it stays where it is.
    case abandonFetch
    case deliver(NSUserActivity)
    case tellFailure(type: String, CocoaError)
  }

  private var fetching: (id: UUID, type: String)?

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .began(let id, let type):
      let earlier = fetching
      // Its answer is on its way already.
      if earlier?.id == id { return [] }
      fetching = (id, type)
      let cancelled = earlier.map { [.abandonFetch, Effect.tellFailure(type: $0.type, CocoaError(.userCancelled))] }
      return (cancelled ?? []) + [.tellWillContinue(type: type), .fetch(id: id)]
    case .fetched(let id, let result):
      // Of one that was cancelled: its app knows.
      guard let (current, type) = fetching, current == id else { return [] }
      fetching = nil
      switch result {
      case .success(let activity): return [.deliver(activity)]
      case .failure(let failure): return [.tellFailure(type: type, failure.cocoaError)]
      }
    }
  }
}
