// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation

/// The stream and the delegate of events. Neither is retained.
// Unchecked: outside the lock, only the thread whose run loop delivers an event calls these objects, as the app
// expects.
struct EventRecipient: @unchecked Sendable {
  weak var stream: Stream?
  weak var delegate: (any StreamDelegate)?
}

extension StreamState {
  /// What must be done so that the delegate receives the events that are due.
  struct Plan {
    /// The schedules to wake, because there may be an event now.
    var toWake: [RunLoopSchedule] = []
    /// Whether to wait for the socket.
    var watches = false
    /// Until when to wait for the outcome. Nil: do not wait for it.
    var asksOutcomeUntil: ContinuousClock.Instant?
  }

  mutating func plan() -> Plan {
    var plan = Plan()
    guard !schedules.isEmpty, status != .notOpen, status != .closed else { return plan }
    settleError()
    let isOver = deadline != nil && error == nil && status != .atEnd
    let isUnsettled = isOver && !isSettled
    if isUnsettled, !isAskingOutcome {
      isAskingOutcome = true
      plan.asksOutcomeUntil = deadline
    }
    let wantsMore = status == .open && isArmed
    let isLastKnown = isLastDue && (status == .atEnd || error != nil)
    if isOpenDue || isReady || isLastKnown || wantsMore && (!leftover.isEmpty || isOver && isSettled) {
      plan.toWake = schedules
    } else if wantsMore, !isUnsettled, !isWatching {
      isWatching = true
      plan.watches = true
    }
    return plan
  }

  /// Returns the next event that is due, and counts it as delivered. Nil if there is none now.
  mutating func nextEvent() -> Stream.Event? {
    if isOpenDue {
      isOpenDue = false
      return .openCompleted
    }
    isReady = false
    if status == .open, isArmed, look() {
      isArmed = false
      return direction == .input ? .hasBytesAvailable : .hasSpaceAvailable
    }
    settleError()
    guard isLastDue, status == .atEnd || error != nil else { return nil }
    isLastDue = false
    return status == .atEnd ? .endEncountered : .errorOccurred
  }

  /// Whether there are bytes or space. Detects the end of the stream.
  private mutating func look() -> Bool {
    guard let socket else { return false }
    if direction == .output {
      guard socket.isHungUp else { return socket.hasSpace }
      fail(nil)
      return false
    }
    if !leftover.isEmpty { return true }
    switch socket.peek() {
    case .moved: return true
    case .wouldBlock: break
    case .over: settleInput()
    case .failed(let code): fail(StreamFailure.system(SystemError("recv", code)))
    }
    return false
  }
}
