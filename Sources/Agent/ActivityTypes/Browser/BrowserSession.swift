// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides which page of a browser is offered, and when that changes. The host performs it.
///
/// Legal transitions:
/// - any state → `offered`, with a page, unless the activity was taken and the person has not turned to a page since
/// - `offered` → `nothing`, without a page, or if the daemon refuses it
/// - `offered` → `taken`, if another program's activity is current, or another machine has continued the page
package struct BrowserSession {
  package enum Event: Equatable {
    /// The page of the current tab. Nil if there is none to offer.
    case page(BrowserPage?, isChosen: Bool)
    /// Another machine fetches the page.
    case saveRequested
    case state(request: Int, url: String?, PageState?)
    case continued(device: String?)
    case displaced
    case refused(String)
    case wake
  }

  package enum Effect: Equatable {
    /// Makes ``page`` current, as a new activity.
    case publish
    /// Sends ``page`` as the new state of the activity.
    case change
    case withdraw
    case getState(request: Int)
    /// ``page`` and ``state`` are complete.
    case saved
    /// The activity belongs to another machine now. Its state may still be fetched.
    case handOver
    case tell(PageStatus)
    /// Send `.wake` at this instant, which replaces an earlier one; nil: not at all.
    case wake(at: ContinuousClock.Instant?)
  }

  private enum Offering: Equatable {
    case nothing
    case offered
    /// `url`: the page that another machine has continued. Another page in the same tab is the person's next activity.
    case taken(url: String?)
  }

  /// What is offered.
  package private(set) var page: BrowserPage?
  /// The state of ``page``. Nil if it is not known.
  package private(set) var state: PageState?
  private var offering: Offering
  /// The page that is offered as soon as the time has come.
  private var next: BrowserPage?
  private var lastChange: ContinuousClock.Instant?
  /// When the person turned to another page than the one that was offered.
  private var lastChoice: ContinuousClock.Instant?
  private var request = 0
  /// The page that was fetched last.
  private var savedURL: String?
  /// Until when the page can give its state before it is handed over.
  private var stateDeadline: ContinuousClock.Instant?
  /// The number of the request that was not answered before ``page`` was complete. Its answer, which always comes, can
  /// still be fetched.
  package private(set) var lateRequest: Int?

  /// - Parameters:
  ///   - isTaken: Whether the page was taken before this session began.
  ///   - url: The page that another machine has continued. Nil if another program's activity took over.
  package init(isTaken: Bool = false, url: String? = nil) { offering = isTaken ? .taken(url: url) : .nothing }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    switch event {
    case .page(nil, let isChosen):
      // A new tab is empty at first. What the person opens in it counts as chosen, too.
      guard isChosen, case .taken = offering else { return withdraw() }
      offering = .nothing
      return withdraw() + [.tell(.withdrawn)]
    case .page(let page?, let isChosen): return turn(to: page, isChosen, now)
    case .saveRequested: return save(now)
    case .state(let number, let url, let state):
      guard stateDeadline != nil, number == request else { return [] }
      self.state = url == page?.url ? state : nil
      stateDeadline = nil
      return [.saved] + schedule(now)
    case .continued(let device): return continued(on: device, now)
    case .displaced:
      guard offering == .offered else { return [] }
      // If both were waiting for this program, nobody knows which came first. A person who has just turned to a page
      // did not go to another program in the same moment.
      if let lastChoice, now < lastChoice + BrowserLimits.choiceTime { return publishAgain(now) }
      offering = .taken(url: nil)
      return [.tell(.displaced)] + leave()
    case .refused(let message):
      guard offering == .offered else { return [] }
      offering = .nothing
      return [.tell(.refused(message))] + leave()
    case .wake: return wake(now)
    }
  }

  private mutating func continued(on device: String?, _ now: ContinuousClock.Instant) -> [Effect] {
    guard offering == .offered else { return [] }
    let (url, current) = (savedURL ?? page?.url, next ?? page)
    offering = .taken(url: url)
    let effects = [.handOver, .tell(.continued(device: device))] + leave()
    // The person may have turned to another page since.
    guard let current, current.url != url else { return effects }
    return effects + turn(to: current, false, now)
  }

  private mutating func turn(to page: BrowserPage, _ isChosen: Bool, _ now: ContinuousClock.Instant) -> [Effect] {
    if case .taken(let url) = offering, !isChosen, url == nil || url == page.url { return [] }
    if offering == .offered, isChosen { lastChoice = now }
    guard page != self.page || offering != .offered else {
      next = nil
      return schedule(now)
    }
    next = page
    // Nobody else may see the page that the person has left for another team's for a moment longer.
    let effects = offering == .offered && self.page?.team != page.team ? withdraw(keeping: page) : []
    return effects + proceed(now)
  }

  /// Offers what is next, unless something was offered only just now.
  private mutating func proceed(_ now: ContinuousClock.Instant) -> [Effect] {
    guard let next else { return [] }
    if let lastChange, now < lastChange + BrowserLimits.changeTime { return schedule(now) }
    return offer(next, now) + schedule(now)
  }

  private mutating func offer(_ next: BrowserPage, _ now: ContinuousClock.Instant) -> [Effect] {
    self.next = nil
    lastChange = now
    if next.url != page?.url { state = nil }
    let isOfSameKind = isOfSameKind(next)
    page = next
    guard offering != .offered else { return isOfSameKind ? [.change] : [.withdraw, .publish, .tell(.offered)] }
    offering = .offered
    return [.publish, .tell(.offered)]
  }

  /// Whether an activity of the present page can become one of this page. A local page has a type of its own, which no
  /// activity changes.
  private func isOfSameKind(_ next: BrowserPage) -> Bool { (page?.localPage == nil) == (next.localPage == nil) }

  private mutating func publishAgain(_ now: ContinuousClock.Instant) -> [Effect] {
    lastChoice = nil
    offering = .nothing
    guard let next = next ?? page else { return [] }
    return offer(next, now)
  }

  private mutating func withdraw(keeping next: BrowserPage? = nil) -> [Effect] {
    let wasOffered = offering == .offered
    if wasOffered { offering = .nothing }
    let effects = leave()
    self.next = next
    return wasOffered ? [.withdraw] + effects + (next == nil ? [.tell(.withdrawn)] : []) : effects
  }

  /// Forgets the page.
  private mutating func leave() -> [Effect] {
    (page, state, next, stateDeadline, savedURL, lateRequest) = (nil, nil, nil, nil, nil, nil)
    return [.wake(at: nil)]
  }

  private mutating func save(_ now: ContinuousClock.Instant) -> [Effect] {
    // What is fetched is what the person sees.
    if let next, offering == .offered, isOfSameKind(next) { _ = offer(next, now) }
    guard offering == .offered else { return [.saved] + schedule(now) }
    // What the person has let go of since the last time does not go out.
    (state, lateRequest) = (nil, nil)
    savedURL = page?.url
    request += 1
    stateDeadline = now + BrowserLimits.stateTime
    return [.getState(request: request)] + schedule(now)
  }

  private mutating func wake(_ now: ContinuousClock.Instant) -> [Effect] {
    var effects: [Effect] = []
    if let stateDeadline, stateDeadline <= now {
      self.stateDeadline = nil
      lateRequest = request
      effects = [.saved]
    }
    return effects + (next == nil ? schedule(now) : proceed(now))
  }

  private func schedule(_ now: ContinuousClock.Instant) -> [Effect] {
    let change = next.flatMap { _ in lastChange.map { $0 + BrowserLimits.changeTime } }
    return [.wake(at: [change, stateDeadline].compactMap(\.self).min())]
  }
}
