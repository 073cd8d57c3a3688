// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Desktop

typealias Event = OfferNotifications.Event
typealias Effect = OfferNotifications.Effect

/// The machine under test and its time.
struct Machine {
  private(set) var notifications = OfferNotifications()
  private(set) var now = ContinuousClock.now
  /// When it wants to be woken.
  private(set) var wakeAt: ContinuousClock.Instant?
  /// Returns a machine that has asked for a server and found one.
  static func ready() -> Machine {
    var machine = Machine()
    _ = machine.handle(.offersChanged([Self.offer(255)]))
    _ = machine.handle(.serverReady)
    _ = machine.handle(.refused(1))
    _ = machine.handle(.offersChanged([]))
    _ = machine.pass(.seconds(20 * 60))
    return machine
  }

  /// Returns the effects except the time to wake.
  mutating func handle(_ event: Event) -> [Effect] {
    notifications.handle(event, at: now).filter { effect in
      guard case .wake(let instant) = effect else { return true }
      wakeAt = instant
      return false
    }
  }

  /// Lets time pass, wakes the machine whenever it wants to be woken, and returns the effects.
  mutating func pass(_ time: Duration) -> [Effect] { passing(time).map(\.effect) }

  mutating func passing(_ time: Duration) -> [(after: Duration, effect: Effect)] {
    let end = now + time
    var effects: [(after: Duration, effect: Effect)] = []
    while let next = wakeAt, next <= end {
      now = max(now, next)
      wakeAt = nil
      effects += handle(.wake).map { (now - (end - time), $0) }
    }
    now = end
    return effects
  }

  /// Lets time pass until there is an effect. Returns how long that took, and the effects.
  mutating func passUntilEffect() -> (Duration, [Effect]) {
    let begin = now
    while let next = wakeAt {
      now = max(now, next)
      wakeAt = nil
      let effects = handle(.wake)
      if !effects.isEmpty { return (now - begin, effects) }
    }
    return (.zero, [])
  }

  static func id(_ number: Int) -> ActivityID { ActivityID(randomBytes: (UInt64(number), 0)) }

  static func device(_ number: UInt8) -> DeviceID {
    DeviceID(bytes: Array(repeating: number, count: DeviceID.byteCount))!
  }

  /// - Parameter device: The number of the device; 0 is the laptop.
  static func offer(_ number: Int, _ title: String? = nil, device: UInt8 = 0) -> OfferNotice {
    OfferNotice(
      id: OfferNotice.ID(activity: id(number), deviceID: self.device(device)),
      activityType: "org.example.note",
      title: title ?? "Note \(number)",
      application: "Notes",
      device: device == 0 ? "laptop" : "laptop \(device)"
    )
  }
}

extension Effect {
  static func new(_ request: UInt64, _ notice: OfferNotice) -> Effect {
    .show(request, NotificationContent(notice), replacing: nil, isQuiet: false)
  }
}
