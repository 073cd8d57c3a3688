// SPDX-License-Identifier: Apache-2.0

@testable import Discovery

/// What multicast shows, in any order. Each sighting is watched once, what was found is lost once, and the limits hold.
enum InstanceTableFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 0, 2, 0, 0, 1, 1, 0, 0, 3, 0, 0, 1, 1, 0, 0], [9, 0, 255, 0, 1, 0, 2, 1, 0, 7, 7, 8],
    [0, 1, 0, 2, 1, 0, 3, 5, 6, 7],
    Array(0..<255),
  ]

  static let length = 160

  static func run(_ input: [UInt8]) throws {
    var world = World(choices: Choices(input))
    while !world.choices.isOver {
      world.step()
      world.check()
    }
    world.tell(.reset)
    hold(world.found.isEmpty, "\(world.found.count) instances are never lost")
  }

  private struct World {
    var choices: Choices
    var table = InstanceTable()
    var watched: Set<Sighting> = []
    var found: Set<String> = []
    /// What was seen and has not disappeared since.
    var seen: Set<Sighting> = []

    mutating func step() {
      switch choices.number(below: 12) {
      case 0, 1: tell(.appeared(sighting()))
      case 2: tell(.disappeared(sighting()))
      case 3, 4: tell(.textAppeared(text(), sighting()))
      case 5: tell(.textDisappeared(text(), sighting()))
      case 6: tell(.watchFailed(sighting()))
      case 7: tell(.retryDue)
      case 8: tell(.ranked(instance: sighting().instance, choices.pick([.unknown, .ours, .proven])))
      case 9: tell(choices.pick([.rotated, .rotated, .refreshed, .settled, .reset]))
      default:
        // A flood of sightings that either appear or disappear.
        let (first, count, comes) = (3 * Int(choices.byte()), 3 * Int(choices.byte()), choices.flag())
        for number in first..<first + count {
          let sighting = Sighting(instance: "\(number)", interface: 1, ipVersion: 0)
          tell(comes ? .appeared(sighting) : .disappeared(sighting))
        }
      }
    }

    private mutating func sighting() -> Sighting {
      let byte = choices.byte()
      return Sighting(instance: "\(byte >> 2)", interface: Int32(byte & 1), ipVersion: Int32(byte >> 1 & 1))
    }

    private mutating func text() -> [UInt8] {
      let length = choices.number(below: 4)
      let strings = RecordData.text([[UInt8](repeating: choices.byte(), count: length)])
      return choices.number(below: 8) == 7 ? [9, 1] : strings ?? []
    }

    mutating func tell(_ event: InstanceTable.Event) {
      // A watch that has failed has ended before this is reported.
      if case .watchFailed(let sighting) = event {
        guard watched.contains(sighting) else { return }
        watched.remove(sighting)
      }
      let effects = table.handle(event)
      for effect in effects {
        switch effect {
        case .watch(let sighting): hold(watched.insert(sighting).inserted, "It is watched twice after \(event)")
        case .unwatch(let sighting): hold(watched.remove(sighting) != nil, "It is not watched, and left after \(event)")
        case .found(let instance, let text):
          hold(text.allSatisfy { !$0.isEmpty }, "An empty string")
          found.insert(instance)
        case .lost(let instance): hold(found.remove(instance) != nil, "\(instance) was not found, and is lost")
        }
      }
      // A reset means that all watches have been closed.
      if event == .reset { watched = [] }
    }

    func check() {
      let instances = Set(watched.map(\.instance))
      hold(instances.count <= InstanceTable.instances, "\(instances.count) instances are watched")
      hold(found.count <= InstanceTable.instances, "\(found.count) instances are found")
      hold(watched.count <= InstanceTable.textWatches + InstanceTable.instances, "\(watched.count) watches")
      for sighting in watched {
        hold(table.sightings(of: sighting.instance).contains(sighting), "What is not seen is watched")
      }
      for instance in found { hold(!table.sightings(of: instance).isEmpty, "\(instance) is found and not seen") }
    }
  }
}
