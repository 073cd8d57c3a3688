// SPDX-License-Identifier: Apache-2.0

import Activity
import SeededGenerator
import Testing

@testable import Desktop

/// Random events in any order. An activity never has two notifications, there are never too many, and none stays at the
/// end. What is opened is what was on the screen when the user clicked.
struct SimulationTests {
  private enum Message {
    case ask
    case show(UInt64, NotificationContent, replacing: UInt32?)
    case close(UInt32)
  }

  /// A server and its user, offers, and messages on their way.
  private struct World {
    var machine = Machine()
    var random: SeededGenerator
    var offers: [OfferNotice] = []
    var titles = 0
    var toServer: [Message] = []
    var toAgent: [Event] = []
    var isServerThere = true
    var isRefusing = false
    var isLocked = false
    var shown: [UInt32: NotificationContent] = [:]
    var lastNumber: UInt32 = 0
    var lastShow: ContinuousClock.Instant?
    /// What the agent has heard that users are done with, and since when each offer is gone.
    var done: Set<OfferNotice.ID> = []
    var goneSince: [OfferNotice.ID: ContinuousClock.Instant] = [:]
    var opened: [OfferNotice.ID] = []
    /// What the user saw at each click that the agent has not heard of yet, and at the last one that it has.
    var clicks: [OfferNotice] = []
    var lastClick: OfferNotice?

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    mutating func step() {
      switch number(20) {
      case 0, 1: offer(number(12))
      case 2: withdraw()
      case 3: rename()
      case 4 where number(3) == 0: changeServer()
      case 4 where number(10) == 0:
        isLocked.toggle()
        tell(.locked(isLocked))
      case 5: isRefusing = number(4) == 0
      case 6: dismiss(isExpired: number(2) == 0)
      case 7: invoke()
      case 8:
        guard !opened.isEmpty else { break }
        let activity = opened.removeFirst()
        switch number(3) {
        case 0: tell(.opened(activity))
        case 1: tell(.openFailed(activity, why: "It is gone"))
        default: tell(.offerChanged(activity), about: activity)
        }
      case 9, 10, 11: pass(.milliseconds(number(number(10) == 0 ? 60_000 : 1_500)))
      case 12 where number(60) == 0: pass(.seconds(number(1_500)))
      case 13, 14, 15: serve()
      default: hear()
      }
    }

    /// Returns an offer from one of three machines.
    private static func offer(_ number: Int) -> OfferNotice {
      var offer = Machine.offer(number, device: UInt8(number % 3))
      offer.isSent = number % 4 == 3
      return offer
    }

    /// The offers that should be shown: the newest of each machine first, and what it asks before the others.
    var best: ArraySlice<OfferNotice> {
      let inOrder = offers.filter(\.asks) + offers.filter { !$0.asks }
      let turns = inOrder.enumerated().map { index, notice in
        (inOrder[..<index].count { $0.id.deviceID == notice.id.deviceID }, index, notice)
      }
      return turns.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2).prefix(ServerHabits.notifications)
    }

    private mutating func offer(_ number: Int) {
      guard !offers.contains(where: { $0.id == Self.offer(number).id }) else { return }
      offers.insert(Self.offer(number), at: 0)
      changedOffers()
    }

    private mutating func withdraw() {
      guard !offers.isEmpty else { return }
      offers.remove(at: number(offers.count))
      changedOffers()
    }

    private mutating func rename() {
      guard !offers.isEmpty else { return }
      var offer = offers.remove(at: number(offers.count))
      titles += 1
      offer.title = "Title \(titles)"
      offers.insert(offer, at: 0)
      changedOffers()
    }

    mutating func changedOffers() {
      for activity in offers.map(\.id) {
        guard let since = goneSince.removeValue(forKey: activity) else { continue }
        if machine.now - since > OfferNotifications.notificationMemory { done.remove(activity) }
      }
      for activity in (0..<12).map({ Self.offer($0).id }) where !offers.contains(where: { $0.id == activity }) {
        goneSince[activity] = goneSince[activity] ?? machine.now
      }
      tell(.offersChanged(offers))
    }

    private mutating func changeServer() { number(3) == 0 ? stopServer() : startServer() }

    mutating func startServer() {
      stopServer()
      isServerThere = true
      toAgent.append(.serverChanged)
    }

    /// Stops the server, so that its unanswered calls fail.
    private mutating func stopServer() {
      for message in toServer {
        switch message {
        case .ask: toAgent.append(.serverMissing)
        case .show(let request, _, _): toAgent.append(.refused(request))
        case .close: break
        }
      }
      toServer = []
      shown = [:]
      lastNumber = UInt32(number(3))
      isServerThere = false
      toAgent.append(.serverLost)
    }

    private mutating func dismiss(isExpired: Bool) {
      guard let id = shown.keys.sorted().randomElement(using: &random) else { return }
      shown[id] = nil
      toAgent.append(.closed(id, isExpired: isExpired))
    }

    private mutating func invoke() {
      guard let id = shown.keys.sorted().randomElement(using: &random) else { return }
      let events: [Event] = [.tokenGiven(id, "token"), .invoked(id), .closed(id, isExpired: false)]
      if let content = shown.removeValue(forKey: id) { clicks.append(content.notice) }
      toAgent += number(2) == 0 ? events : [events[0], events[2], events[1]]
    }

    /// Lets the server handle the next message.
    mutating func serve() {
      guard !toServer.isEmpty else { return }
      switch toServer.removeFirst() {
      case .ask: toAgent.append(isServerThere ? .serverReady : .serverMissing)
      case .show(let request, let content, let replacing):
        guard isServerThere, !isRefusing else { return toAgent.append(.refused(request)) }
        lastNumber += 1
        let id = replacing.flatMap { shown[$0] == nil ? nil : $0 } ?? lastNumber
        shown[id] = content
        #expect(shown.count <= ServerHabits.notifications)
        #expect(Set(shown.values.map(\.notice.id)).count == shown.count)
        toAgent.append(.shown(request, id))
      case .close(let id):
        if shown.removeValue(forKey: id) != nil { toAgent.append(.closed(id, isExpired: false)) }
      }
    }

    mutating func hear() {
      guard !toAgent.isEmpty else { return }
      let event = toAgent.removeFirst()
      var clicked: OfferNotice.ID?
      switch event {
      case .closed(let id, let isExpired):
        // Notifications that the machine itself withdrew are no longer known. A question that expired comes again.
        if let activity = machine.notifications.offer(of: id),
          !isExpired || machine.notifications.entries[activity]?.notice.asks == false
        {
          done.insert(activity)
        }
      case .invoked(let id):
        clicked = machine.notifications.offer(of: id)
        if let clicked { done.insert(clicked) }
        lastClick = clicks.removeFirst()
      default: break
      }
      tell(event, about: clicked)
    }

    /// - Parameter activity: What users are no longer done with if they are asked again.
    mutating func tell(_ event: Event, about activity: OfferNotice.ID? = nil) {
      let effects = machine.handle(event)
      if let activity, machine.notifications.entries[activity]?.isAskedAgain == true { done.remove(activity) }
      take(effects)
    }

    private mutating func pass(_ time: Duration) {
      let begin = machine.now
      for (after, effect) in machine.passing(time) { take([effect], at: begin + after) }
    }

    private mutating func take(_ effects: [Effect], at instant: ContinuousClock.Instant? = nil) {
      for effect in effects {
        switch effect {
        case .ask: toServer.append(.ask)
        case .show(let request, let content, let replacing, _):
          #expect(!isLocked)
          let now = instant ?? machine.now
          if let lastShow { #expect(now - lastShow >= Limits.notificationInterval) }
          lastShow = now
          // A change may cross with the report that the notification was closed.
          if content.failure == nil, replacing == nil {
            #expect(!done.contains(content.notice.id))
          }
          toServer.append(.show(request, content, replacing: replacing))
        case .close(let id): toServer.append(.close(id))
        case .open(let notice, _):
          #expect(done.contains(notice.id) && notice == lastClick)
          opened.append(notice.id)
        case .decline, .mute, .silent, .wake: break
        }
      }
    }

    mutating func settle() {
      isRefusing = false
      isLocked = false
      tell(.locked(false))
      for _ in 0..<200 {
        while !toServer.isEmpty || !toAgent.isEmpty {
          serve()
          hear()
        }
        pass(.seconds(2))
      }
    }
  }

  @Test(arguments: seeds(1...20)) func everythingThatIsOfferedIsShownOnceAndWithdrawn(seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<3_000 { world.step() }
    world.startServer()
    world.settle()
    for (id, content) in world.shown {
      #expect(world.best.contains(content.notice), "\(id) is of the newest")
    }
    for notice in world.best {
      let phase = world.machine.notifications.entries[notice.id]?.phase
      if case .over = phase { continue }
      #expect(world.shown.values.contains(NotificationContent(notice)), "\(String(describing: phase))")
    }
    if seed % 2 == 0 {
      world.tell(.stopped)
      while !world.toServer.isEmpty || !world.toAgent.isEmpty {
        world.serve()
        world.hear()
      }
      #expect(world.machine.notifications.isSettled)
    } else {
      world.offers = []
      world.changedOffers()
      world.settle()
    }
    #expect(world.shown.isEmpty)
    #expect(world.machine.wakeAt == nil)
  }
}
