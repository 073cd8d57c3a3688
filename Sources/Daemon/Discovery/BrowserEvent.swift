// SPDX-License-Identifier: Apache-2.0

import CAvahi

/// What a browser reports about records.
enum BrowserEvent<Value> {
  case appeared(Value)
  case disappeared(Value)
  /// Everything in Avahi's cache has been reported. Answers from the network follow.
  case cacheExhausted
  /// The browser has failed and must be closed.
  case failed

  /// - Parameter value: Reads the value if the event has one; returns nil if it cannot be read.
  init?(_ event: AvahiBrowserEvent, _ value: () -> Value?) {
    switch event {
    case AVAHI_BROWSER_NEW:
      guard let value = value() else { return nil }
      self = .appeared(value)
    case AVAHI_BROWSER_REMOVE:
      guard let value = value() else { return nil }
      self = .disappeared(value)
    case AVAHI_BROWSER_CACHE_EXHAUSTED: self = .cacheExhausted
    case AVAHI_BROWSER_FAILURE: self = .failed
    default: return nil  // AVAHI_BROWSER_ALL_FOR_NOW: nothing to do.
    }
  }
}
