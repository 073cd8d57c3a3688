import CAvahi

/// What a browser tells of one record.
enum BrowserEvent<Value> {
  case appeared(Value)
  case disappeared(Value)
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
    case AVAHI_BROWSER_FAILURE: self = .failed
    default: return nil  // All for now, cache exhausted: nothing to do.
    }
  }
}
