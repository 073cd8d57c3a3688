// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// Programs and launchers that come and go while offers are opened. Each program that opens one is answered once.
enum LaunchingFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [1, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0], [2, 0, 0, 2, 1, 0, 0, 6, 0, 1, 0, 0, 0],
    [1, 0, 0, 2, 0, 0, 0, 5, 0, 7, 30],
  ]

  static let length = 768

  static func run(_ input: [UInt8]) throws {
    var world = World(choices: Choices(input))
    while !world.choices.isOver { world.step() }
    world.finish()
  }

  private struct World {
    var choices: Choices
    var machine = Launching()
    var now = ContinuousClock.now
    var wake: ContinuousClock.Instant?
    var lastClient: UInt64 = 0
    var waiting: Set<ClientID> = []
    var registered: [ClientID: UserID] = [:]
    var names: [ClientID: String] = [:]
    var launches: [String] = ["1"]

    private static let types = ["a.b", "c.d", ActivityRecord.webPageType, ActivityRecord.searchItemType]
    private static let names = [nil, "Reader", "Writer"]

    mutating func step() {
      now += .milliseconds(choices.number(below: 4) == 3 ? 5000 : 1)
      if let wake, wake <= now { handle(.wake) }
      let user: UserID = choices.pick([0, 1000, 1001])
      switch choices.number(below: 8) {
      case 0:
        let (client, name) = (register(user), choices.pick(Self.names))
        names[client] = name
        handle(.applicationRegistered(client, types: types(), application: name, user: user))
      case 1: handle(.launcherRegistered(register(user), types: types(), user: user))
      case 2, 3:
        let offer = Launching.Offer(
          id: Names.activity(choices.number(below: 24)),
          activityType: choices.pick(Self.types),
          peer: choices.pick([nil, Names.peer(0), Names.peer(1)]),
          hasWebPage: choices.flag(),
          application: choices.pick(Self.names)
        )
        lastClient += 1
        waiting.insert(ClientID(lastClient))
        handle(.opened(offer, activationToken: nil, client: ClientID(lastClient), user: user))
      case 4: handle(.continued(Names.activity(choices.number(below: 24)), user: user))
      case 5, 6:
        let report: Launching.Report = choices.pick([
          .launching, .continued, .failed(.launchFailed), .failed(.applicationNotFound),
        ])
        handle(.reported(launch: choices.pick(launches.suffix(32)), report, user: user))
      default:
        let clients = (Array(waiting) + Array(registered.keys)).sorted { $0.number < $1.number }
        guard !clients.isEmpty else { return }
        let client = choices.pick(clients)
        waiting.remove(client)
        registered[client] = nil
        handle(.clientLeft(client))
      }
    }

    mutating func finish() {
      for _ in 0..<200 {
        guard let wake else { break }
        now = max(now, wake)
        handle(.wake)
      }
      hold(waiting.isEmpty, "\(waiting.count) wait for ever")
      same(machine.launchCount, 0)
    }

    private mutating func types() -> Set<String> {
      let flags = choices.byte()
      return Set(Self.types.enumerated().filter { flags & (1 << $0.offset) != 0 }.map(\.element))
    }

    private mutating func register(_ user: UserID) -> ClientID {
      lastClient += 1
      registered[ClientID(lastClient)] = user
      return ClientID(lastClient)
    }

    private mutating func handle(_ event: Launching.Event) {
      var effects = machine.handle(event, at: now)
      guard case .wake(let instant)? = effects.popLast() else { fatalError("The last effect of \(event) is no wake") }
      wake = instant
      hold(instant.map { $0 > now } ?? true, "It would be woken without end")
      for effect in effects {
        switch effect {
        case .succeed(let client), .fail(let client, _):
          hold(waiting.remove(client) != nil, "\(client) was answered and did not wait")
        case .requestContinuation(let client, let offer, _):
          hold(registered[client] != nil, "\(client) has left")
          let isPrivate = offer.activityType == ActivityRecord.searchItemType
          hold(!isPrivate || offer.application != nil && offer.application == names[client], "\(offer) is not its own")
        case .requestLaunch(let client, let launch, _, _):
          hold(registered[client] != nil, "\(client) has left")
          launches.append(launch)
        case .wake: fatalError("Two wakes")
        }
      }
      hold(machine.launchCount <= 3 * Limits.launchesPerUser, "\(machine.launchCount) launches")
      hold(machine.applicationCount + machine.launcherCount == registered.count, "Somebody is still registered")
      hold(waiting.isEmpty || wake != nil, "Nobody will be told")
    }
  }
}
