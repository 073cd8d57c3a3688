// SPDX-License-Identifier: Apache-2.0

/// Decides when one activity of this process is sent to the daemon, and in which order. `HeldActivity` performs it.
///
/// Each call has its own connection, so it could overtake one that the daemon has not answered yet. So one call follows
/// the other. There are three exceptions: the app resigns, the state that it saved is awaited, or the activity must no
/// longer be offered. These wait for nothing.
///
/// Legal transitions of what is due:
/// - `nothing` → `change`, when the app changes something; any state → `renewal`, when the activity must become current
/// - any state → `nothing`, as soon as no request is unanswered, with the call that `Reconnection` makes for a renewal,
///   or with an update
///
/// Each request is unanswered from its effect until the event that answers it. Late events are normal.
package struct Publication {
  /// The time from an app's change of an activity until it is sent. Changes within this time are sent together, so that
  /// nobody fetches a mixture of two states.
  static let activityChangeTime = Duration.milliseconds(10)

  package enum Event: Equatable {
    // From the app.
    case becameCurrent
    case resigned
    /// - Parameter isUrgent: Whether the daemon must know immediately.
    case changed(isUrgent: Bool)
    /// The work requested with ``Effect/save`` has been done.
    /// - Parameter isAskedAgain: Whether the app wants to be asked again.
    case saved(isAskedAgain: Bool)

    // From the daemon.
    /// The activity is offered from now on, and this call holds it.
    case current(Reconnection.Number)
    /// Another activity is current. A daemon that stops also announces that.
    case displaced(isShuttingDown: Bool)
    case continued(device: String?)
    case willSave
    /// The daemon does not take the activity as it is, or it cannot be sent.
    case refused
    /// The daemon is not running, or has disconnected.
    case disconnected

    // How the other calls end.
    case updated
    /// It is not known whether the update arrived.
    case updateUnanswered
    /// The same as ``refused``, for an update.
    case updateRefused
    /// The same as ``disconnected``, for an update.
    case updateDisconnected
    case resignationEnded(isDone: Bool)

    // Time.
    case retry
    case gathered
  }

  package enum Effect: Equatable {
    /// Performed with a call of `BecomeCurrent`. Its instant is when to send `.retry`.
    case connection(Reconnection.Effect)
    /// Remember that later changes of the app are news.
    case takeChange
    /// Send the app's state, unless the daemon has it.
    /// - Parameter isSaved: Send it in any case. The app has saved it, so it does not need to be asked.
    case update(isSaved: Bool)
    case cancelUpdate
    /// The next update is sent in any case.
    case forgetUpdate
    case resign
    /// Ask the app for its state.
    case save
    case tellContinued(device: String?)
    /// Send `.gathered` at this instant.
    case gather(until: ContinuousClock.Instant)
  }

  private enum Due {
    case nothing
    case change
    /// The activity becomes current (again), with any change.
    case renewal
  }

  private enum Request {
    case update
    case resignation
    /// The app's, for its state. While the app updates it, no part of it is sent.
    case save
  }

  /// The app's last request. It does not change if the daemon disconnects: the activity is published again as soon as a
  /// daemon is running.
  package private(set) var isWanted = false
  private var connection: Reconnection
  private var due = Due.nothing
  private var unanswered: Set<Request> = []
  /// Whether `.gathered` will come. Apps often change properties one after the other, which are sent together.
  private var isGathering = false

  package init(_ connection: Reconnection = Reconnection()) { self.connection = connection }

  /// - Parameter isEligible: Whether the activity may be offered.
  package mutating func handle(_ event: Event, isEligible: Bool, at now: ContinuousClock.Instant) -> [Effect] {
    switch event {
    case .becameCurrent:
      isWanted = true
      due = .renewal
    case .resigned: return resign(now)
    case .changed(let isUrgent):
      if due == .nothing { due = .change }
      guard isUrgent else { return gather(now) }
    case .saved(let isAskedAgain):
      unanswered.remove(.save)
      guard isEligible else { return withdraw(now) }
      if due != .renewal { due = isAskedAgain ? .change : .nothing }
      unanswered.insert(.update)
      return [.takeChange, .update(isSaved: true)]
    case .current(let number):
      return perform(.replied(number), now) + proceed(isEligible, now)
    case .displaced(let isShuttingDown):
      // A daemon that stops will be started again. But an activity that another one has replaced stays replaced.
      if !isShuttingDown { end() }
      return []
    case .continued(let device):
      end()
      return [.tellContinued(device: device)]
    case .willSave: return unanswered.insert(.save).inserted ? [.save] : []
    case .refused: return giveUp(now) + proceed(isEligible, now)
    case .disconnected: return disconnect(now)
    case .updated: unanswered.remove(.update)
    case .updateUnanswered:
      unanswered.remove(.update)
      return [.forgetUpdate] + proceed(isEligible, now)
    case .updateRefused:
      unanswered.remove(.update)
      return giveUp(now) + proceed(isEligible, now)
    case .updateDisconnected:
      unanswered.remove(.update)
      return disconnect(now) + proceed(isEligible, now)
    case .resignationEnded(let isDone):
      unanswered.remove(.resignation)
      // The activity must not stay offered. It does not if the call that holds it ends.
      return (isDone ? [] : perform(.stop, now)) + proceed(isEligible, now)
    case .retry: due = .renewal
    case .gathered: isGathering = false
    }
    return proceed(isEligible, now)
  }

  /// Sends what is due, as soon as nothing else is in progress.
  private mutating func proceed(_ isEligible: Bool, _ now: ContinuousClock.Instant) -> [Effect] {
    guard due != .nothing else { return [] }
    // If the activity must no longer be offered, that waits neither for an answer nor for an app that is saving.
    let isSending = connection.isCalling || !unanswered.isDisjoint(with: [.save, .update])
    if isWanted, !isEligible, isSending { return withdraw(now) }
    guard unanswered.isEmpty, !connection.isCalling else { return [] }
    let isRenewal = due == .renewal || !connection.isStanding && !connection.isWaiting
    due = .nothing
    if isRenewal, isWanted { return [.takeChange] + perform(.call, now) }
    // Another attempt sends the change, or the activity is not current.
    guard !isRenewal, connection.isStanding else { return [.takeChange] }
    unanswered.insert(.update)
    return [.takeChange, .update(isSaved: false)]
  }

  private mutating func gather(_ now: ContinuousClock.Instant) -> [Effect] {
    guard !isGathering else { return [] }
    isGathering = true
    return [.gather(until: now + Self.activityChangeTime)]
  }

  private mutating func resign(_ now: ContinuousClock.Instant) -> [Effect] {
    guard isWanted else { return [] }
    isWanted = false
    let effects = perform(.settle, now)
    guard connection.isStanding else { return effects }
    unanswered.insert(.resignation)
    return effects + [.resign]
  }

  /// The activity is no longer current, unless the app has made it current again in the meantime.
  private mutating func end() {
    if !connection.isCalling, due != .renewal { isWanted = false }
  }

  /// Makes the daemon drop the activity immediately. It is published again soon, but not before the daemon has dropped
  /// it.
  private mutating func withdraw(_ now: ContinuousClock.Instant) -> [Effect] {
    unanswered.remove(.update)
    return [.cancelUpdate] + perform(.pause, now)
  }

  /// The activity is not offered until the app changes it.
  private mutating func giveUp(_ now: ContinuousClock.Instant) -> [Effect] {
    connection.isWaiting ? [] : perform(.stop, now)
  }

  private mutating func disconnect(_ now: ContinuousClock.Instant) -> [Effect] {
    perform(isWanted ? .pause : .stop, now)
  }

  private mutating func perform(_ event: Reconnection.Event, _ now: ContinuousClock.Instant) -> [Effect] {
    connection.handle(event, at: now).map(Effect.connection)
  }
}
