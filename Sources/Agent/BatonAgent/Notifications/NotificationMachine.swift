// SPDX-License-Identifier: Apache-2.0

import Desktop

/// Decides which notifications of one kind are shown. ``NotificationShell`` performs what it decides.
protocol NotificationMachine {
  associatedtype Event: NotificationEvent
  associatedtype Effect

  init()

  mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect]

  /// Whether no reply is awaited that could require a withdrawal.
  var isSettled: Bool { get }
}

/// What every such machine is told.
protocol NotificationEvent {
  static var serverChanged: Self { get }
  static var serverLost: Self { get }
  static var serverReady: Self { get }
  static var serverMissing: Self { get }
  static func serverIs(_ habits: ServerHabits) -> Self
  static func shown(_ request: ServerDialogue.Request, _ id: ServerDialogue.NotificationID) -> Self
  static func refused(_ request: ServerDialogue.Request) -> Self
  static func closed(_ id: ServerDialogue.NotificationID, isExpired: Bool) -> Self
  static func locked(_ isLocked: Bool) -> Self
  static var stopped: Self { get }
  static var wake: Self { get }

  /// - Returns: Nil if tokens mean nothing to the machine.
  static func given(_ token: String, with id: ServerDialogue.NotificationID) -> Self?
  /// - Parameter key: Of the action that a person chose.
  /// - Returns: Nil if it means nothing to the machine.
  static func chosen(_ key: String, of id: ServerDialogue.NotificationID) -> Self?
}

extension NotificationEvent {
  /// - Returns: Nil if it means nothing to the machine.
  init?(_ event: NotificationServer.Event) {
    let event: Self? =
      switch event {
      case .serverChanged: .serverChanged
      case .serverLost: .serverLost
      case .serverReady: .serverReady
      case .serverIs(let habits): .serverIs(habits)
      case .serverMissing: .serverMissing
      case .shown(let request, let id): .shown(request, id)
      case .refused(let request): .refused(request)
      case .closed(let id, let isExpired): .closed(id, isExpired: isExpired)
      case .tokenGiven(let id, let token): .given(token, with: id)
      case .invoked(let id, let key): .chosen(key, of: id)
      }
    guard let event else { return nil }
    self = event
  }
}

extension OfferNotifications: NotificationMachine {}

extension OfferNotifications.Event: NotificationEvent {
  static func given(_ token: String, with id: ServerDialogue.NotificationID) -> Self? { .tokenGiven(id, token) }

  static func chosen(_ key: String, of id: ServerDialogue.NotificationID) -> Self? {
    switch key {
    case NotificationText.muteKey: .muted(id)
    case NotificationText.declineKey: .declined(id)
    case NotificationText.clickKey: .clicked(id)
    case NotificationText.continueKey: .invoked(id)
    default: nil
    }
  }
}

extension TransferNotifications: NotificationMachine {}

extension TransferNotifications.Event: NotificationEvent {
  static func given(_ token: String, with id: ServerDialogue.NotificationID) -> Self? { nil }

  static func chosen(_ key: String, of id: ServerDialogue.NotificationID) -> Self? { .invoked(id, key: key) }
}
