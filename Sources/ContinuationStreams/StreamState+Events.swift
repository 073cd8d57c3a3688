import EventLoop
import Foundation

/// Whom a stream's events concern; neither is retained.
// Unchecked: a copy leaves the lock only to be used by the thread whose run loop tells the event, as the app wants it.
struct Recipient: @unchecked Sendable {
  weak var stream: Stream?
  weak var delegate: (any StreamDelegate)?
}

extension StreamState {
  /// What is to be done so that the delegate is told what it is due.
  struct Plan {
    /// Something may be told now.
    var toWake: [RunLoopSchedule] = []
    /// The socket has to be waited for.
    var watches = false
    /// The outcome has to be waited for, until then.
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

  /// The next event that the delegate is due; nil where there is none now. It counts as told.
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

  /// Whether there are bytes or space. Notices that the stream is over.
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
