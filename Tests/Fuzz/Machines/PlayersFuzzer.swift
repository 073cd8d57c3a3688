// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// Players that begin, pause, stop, change and vanish while another machine continues what they play, and a player that
/// is opened meanwhile.
enum PlayersFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 1, 0, 1, 1, 0, 3, 10, 1, 4, 5, 0], [0, 1, 0, 0, 0, 0, 2, 0, 6, 255, 3, 3], Array(0..<255),
  ]

  static let length = 512

  static func run(_ input: [UInt8]) throws {
    var world = World(choices: Choices(input))
    while !world.choices.isOver { world.step() }
  }

  private struct World {
    var choices: Choices
    var machine = OfferedPlayer()
    var now = ContinuousClock.now
    var lastChange: ContinuousClock.Instant?
    var offered: String?
    var task = PlayerTask("file:///a.ogg", position: 60_000, players: ["a", "b"])
    var results = 0

    mutating func step() {
      let name = "\(choices.number(below: 24))"
      switch choices.number(below: 8) {
      case 0, 1:
        let state = state()
        tell(.changed(name, state))
        open(.changed(name, state))
      case 2:
        tell(.left(name))
        open(.left(name))
      case 3: tell(.continued)
      case 4: tell(.offerAgain(name))
      case 5: tell(choices.flag() ? .pausedForOther(name) : .lost)
      case 6:
        now += .milliseconds(Int(choices.byte()) * (choices.flag() ? 3000 : 20))
        tell(.wake)
        open(.wake)
      default:
        let events: [PlayerTask.Event] = [
          .ready(running: choices.flag() ? ["b": name] : [:]), .opened(isDone: choices.flag()),
          .started(isStarted: choices.flag()),
        ]
        open(choices.pick(events))
      }
    }

    private mutating func state() -> PlayerState {
      let status = choices.pick([PlayerState.Status.playing, .paused, .stopped])
      let place = choices.pick([PlayedTrack.Place.file("/a.ogg"), .address("https://example.org/a"), .file("/b.ogg")])
      let track = PlayedTrack(place, title: "\(choices.number(below: 3))", length: choices.flag() ? 90_000 : nil)
      return PlayerState(
        status: status,
        track: choices.number(below: 8) == 0 ? nil : track,
        position: choices.flag() ? Int(choices.byte()) * 500 : nil,
        rate: choices.flag() ? 1 : 2,
        canSeek: choices.number(below: 8) != 0,
        url: "file:///a.ogg",
        trackID: "/1"
      )
    }

    private mutating func tell(_ event: OfferedPlayer.Event) {
      for effect in machine.handle(event, at: now) {
        switch effect {
        case .offer, .update:
          if let lastChange {
            hold(now - lastChange >= OfferedPlayer.playbackChangeInterval, "Two changes follow one another")
          }
          lastChange = now
        case .withdraw: hold(offered != nil, "Nothing was offered")
        case .wake(let instant): hold(instant.map { $0 > now } ?? true, "It is late already")
        }
      }
      if case .continued = event, let offered { hold(machine.offered != offered, "It is handed over") }
      offered = machine.offered
      same(machine.content == nil, offered == nil)
      if let offered, let position = machine.position(of: offered, at: now) {
        hold((0...Limits.playbackLength).contains(position), "\(position)")
      }
    }

    private mutating func open(_ event: PlayerTask.Event) {
      for case .finish in task.handle(event, at: now) { results += 1 }
      hold(results <= 1, "It has ended twice")
    }
  }
}
