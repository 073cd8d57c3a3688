// SPDX-License-Identifier: Apache-2.0

import Activity
import Foundation

/// Decides which events an app gets about the continuations that its user requests. There is one at a time, and each
/// one that begins ends once.
///
/// The legal transitions are `idle → fetching → idle`. A newer continuation ends the older one first. But if it is of
/// the same offer, which has come back, the older one has succeeded or failed, and its answer is on its way. The newer
/// one then begins after that answer.
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

  private typealias Continuation = (offer: OfferName, type: String)

  private var fetching: Continuation?
  /// What begins after the answer.
  private var next: Continuation?

  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .began(let offer, let type):
      guard let earlier = fetching else { return begin((offer, type)) }
      if offer.follows(earlier.offer) {
        next = (offer, type)
        return []
      }
      // Its answer is already on its way.
      if earlier.offer.isSame(as: offer) { return [] }
      let cancelled = [earlier, next].compactMap(\.self)
      next = nil
      return [.abandonFetch] + cancelled.map { .tellFailure(type: $0.type, CocoaError(.userCancelled)) }
        + begin((offer, type))
    case .fetched(let offer, let result):
      // This one was cancelled, and the app knows that.
      guard let (current, type) = fetching, current == offer else { return [] }
      let following = next
      (fetching, next) = (nil, nil)
      let end: Effect =
        switch result {
        case .success(let activity): arrived(activity, as: type)
        case .failure(let failure): .tellFailure(type: type, failure.cocoaError)
        }
      return [end] + (following.map { begin($0) } ?? [])
    }
  }

  /// An app that takes pages gets the page of an activity whose type it does not know.
  private func arrived(_ activity: NSUserActivity, as type: String) -> Effect {
    guard type == NSUserActivityTypeBrowsingWeb, activity.activityType != type else { return .deliver(activity) }
    guard let page = activity.core.page else {
      return .tellFailure(type: type, HandoffFailure(.applicationNotFound).cocoaError)
    }
    return .deliver(NSUserActivity(page))
  }

  private mutating func begin(_ continuation: Continuation) -> [Effect] {
    fetching = continuation
    return [.tellWillContinue(type: continuation.type), .fetch(continuation.offer)]
  }
}
