// SPDX-License-Identifier: Apache-2.0

import Activity

@testable import Desktop

/// Offers, a notification server and its user, with messages on their way in both directions.
enum NotificationsFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 1, 7, 8, 6, 10, 7, 8, 4, 0, 8, 3, 0], [0, 1, 0, 2, 7, 8, 6, 10, 7, 8, 1, 0, 6, 200, 7, 8], Array(0..<255),
  ]

  static let length = 768

  static func run(_ input: [UInt8]) throws {
    var world = World(choices: Choices(input))
    while !world.choices.isOver { world.step() }
    world.finish()
  }

  private typealias Machine = OfferNotifications

  private struct World {
    var choices: Choices
    var machine = Machine()
    var now = ContinuousClock.now
    var wake: ContinuousClock.Instant?
    var offers: [OfferNotice] = []
    var toServer: [Machine.Effect] = []
    var toAgent: [Machine.Event] = []
    var isThere = true
    var isRefusing = false
    var shown: [UInt32: NotificationContent] = [:]
    var lastNumber: UInt32 = 0
    var lastShow: ContinuousClock.Instant?
    var opened: [OfferNotice.ID] = []
    /// What the user saw at each click that the agent has not heard of yet, and at the last one that it has.
    var clicks: [OfferNotice] = []
    var lastClick: OfferNotice?
    var muted: Set<DeviceID> = []

    mutating func step() {
      switch choices.number(below: 12) {
      case 0, 1: change(Int(choices.byte()))
      case 2:
        // Another server, which knows nothing.
        (shown, toServer, isThere) = ([:], [], choices.flag())
        toAgent.append(isThere ? .serverChanged : .serverLost)
      case 3: isRefusing = choices.flag()
      case 4: dismiss(isExpired: choices.flag())
      case 5: invoke()
      case 6: pass(.milliseconds(Int(choices.byte()) * (choices.flag() ? 5000 : 20)))
      case 7: serve()
      case 8, 9: hear()
      case 10: tell(.locked(choices.flag()))
      default:
        guard !opened.isEmpty else { return }
        let offer = opened.removeFirst()
        switch choices.number(below: 3) {
        case 0: tell(.opened(offer))
        case 1: tell(.openFailed(offer, why: "It is gone"))
        default: tell(.offerChanged(offer))
        }
      }
    }

    private mutating func change(_ number: Int) {
      let notice = notice(number % 16, number % 2, "Title \(number)")
      let index = offers.firstIndex { $0.id == notice.id }
      switch (index, number / 16 % 4) {
      case (let index?, 0): offers.remove(at: index)
      case (let index?, _): offers[index] = notice
      case (nil, 3):
        offers += (16..<32).map { self.notice($0, 2, nil) }
      case (nil, _): offers.insert(notice, at: 0)
      }
      if offers.count > 40 { offers = [] }
      offers.removeAll { muted.contains($0.id.deviceID) }
      tell(.offersChanged(offers))
    }

    private func notice(_ activity: Int, _ device: Int, _ title: String?) -> OfferNotice {
      OfferNotice(
        id: OfferNotice.ID(activity: Names.activity(activity), deviceID: Names.device(UInt8(device))),
        activityType: "org.example.notes",
        title: title,
        device: "machine \(device)",
        isSent: activity % 4 == 3
      )
    }

    private mutating func dismiss(isExpired: Bool) {
      guard !shown.isEmpty else { return }
      let id = choices.pick(shown.keys.sorted())
      shown[id] = nil
      toAgent.append(.closed(id, isExpired: isExpired))
    }

    private mutating func invoke() {
      guard !shown.isEmpty else { return }
      let id = choices.pick(shown.keys.sorted())
      guard let content = shown.removeValue(forKey: id) else { return }
      let isClick = choices.flag()
      if isClick { clicks.append(content.notice) }
      toAgent += [.tokenGiven(id, "token"), isClick ? .invoked(id) : .muted(id), .closed(id, isExpired: false)]
    }

    private mutating func serve() {
      guard !toServer.isEmpty else { return }
      switch toServer.removeFirst() {
      case .ask: toAgent.append(isThere ? .serverReady : .serverMissing)
      case .show(let request, let content, let replacing, _):
        guard isThere, !isRefusing else { return toAgent.append(.refused(request)) }
        lastNumber += 1
        let id = replacing.flatMap { shown[$0] == nil ? nil : $0 } ?? lastNumber
        shown[id] = content
        hold(shown.count <= ServerHabits.notifications, "\(shown.count) notifications are shown")
        same(Set(shown.values.map(\.notice.id)).count, shown.count, "Two for one offer")
        toAgent.append(.shown(request, id))
      case .close(let id):
        if shown.removeValue(forKey: id) != nil { toAgent.append(.closed(id, isExpired: false)) }
      default: break
      }
    }

    private mutating func hear() {
      guard !toAgent.isEmpty else { return }
      let event = toAgent.removeFirst()
      if case .invoked = event { lastClick = clicks.removeFirst() }
      tell(event)
    }

    private mutating func pass(_ time: Duration) {
      let end = now + time
      while let wake, wake <= end {
        now = max(now, wake)
        tell(.wake)
      }
      now = end
    }

    private mutating func tell(_ event: Machine.Event) {
      var effects = machine.handle(event, at: now)
      guard case .wake(let instant)? = effects.popLast() else { fatalError("The last effect of \(event) is no wake") }
      wake = instant
      hold(instant.map { $0 > now } ?? true, "It would be woken without end after \(event)")
      for effect in effects {
        switch effect {
        case .ask, .close: toServer.append(effect)
        case .show(_, let content, _, _):
          hold(lastShow.map { now - $0 >= Limits.notificationInterval } ?? true, "Two in a second after \(event)")
          lastShow = now
          let isOffered = offers.contains { $0.id == content.notice.id } || content.failure != nil
          hold(isOffered || machine.entries[content.notice.id]?.goneSince != nil, "What nobody offers is shown")
          toServer.append(effect)
        case .open(let notice, _):
          hold(notice == lastClick, "What is opened is not what was on the screen")
          opened.append(notice.id)
        case .mute(let device, _): muted.insert(device)
        case .decline, .silent: break
        case .wake: fatalError("Two wakes")
        }
      }
      hold(machine.entries.count <= 2 * OfferNotifications.notificationEntries, "\(machine.entries.count) entries")
    }

    /// Stops the machine, after which nothing may stay on the screen.
    mutating func finish() {
      tell(.stopped)
      for _ in 0..<1000 where !toServer.isEmpty || !toAgent.isEmpty {
        serve()
        hear()
      }
      hold(shown.isEmpty, "\(shown.count) notifications stay")
      hold(wake == nil, "It wants to be woken though it has stopped")
    }
  }
}
