import CAvahi

/// What a browser tells of one record.
enum BrowserEvent<Value> {
  case appeared(Value)
  case disappeared(Value)
  /// What Avahi knew already was told; what others answer follows.
  case cacheExhausted
  /// The browser has ended by itself: close it.
  case failed

  /// - Parameter value: Read where the event is about one; nil where it cannot be read.
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
    default: return nil  // All for now: nothing to do.
    }
  }
}
