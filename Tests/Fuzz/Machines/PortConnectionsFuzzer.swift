// SPDX-License-Identifier: Apache-2.0

import ActivityTypes

/// Two sides that keep to the rules share connections: no byte is lost, none comes twice, and no window overflows.
enum PortConnectionsFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 6, 1, 0, 9, 1, 6, 7, 2, 0, 3, 6, 4, 0, 6], [0, 0, 0, 6, 6, 6, 1, 0, 255, 1, 0, 255, 6, 6, 3, 200, 5, 1, 6, 7],
  ]

  static let length = 2048

  private struct Side {
    var connections: PortConnections
    var outgoing: [PortFrame] = []
    /// How many bytes each connection has sent, received and taken.
    var sent: [UInt32: Int] = [:]
    var received: [UInt32: Int] = [:]
    var taken: [UInt32: Int] = [:]
    var isReset: Set<UInt32> = []
  }

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var sides = [false, true].map { Side(connections: PortConnections(isOrigin: $0)) }
    while !choices.isOver {
      let index = choices.number(below: 2)
      let id = UInt32(choices.number(below: 4)) + 1
      switch choices.number(below: 8) {
      case 0: if let (_, frame) = sides[0].connections.open(port: 80) { sides[0].outgoing.append(frame) }
      case 1:
        let count = Int(choices.byte()) * 1024
        let credit = sides[index].connections.credit(id)
        let frames = sides[index].connections.send(id, [UInt8](repeating: 1, count: count)[...])
        let sent = frames.reduce(0) { if case .data(_, let bytes) = $1 { $0 + bytes.count } else { $0 } }
        same(sent, min(count, credit), "Not everything that may be sent is")
        sides[index].sent[id, default: 0] += sent
        sides[index].outgoing += frames
      case 2, 3:
        let waiting = sides[index].received[id, default: 0] - sides[index].taken[id, default: 0]
        let count = min(waiting, Int(choices.byte()) * 2048)
        sides[index].taken[id, default: 0] += count
        if let frame = sides[index].connections.take(id, count) { sides[index].outgoing.append(frame) }
      case 4: if let frame = sides[index].connections.end(id) { sides[index].outgoing.append(frame) }
      case 5:
        guard let frame = sides[index].connections.reset(id, .broken) else { continue }
        sides[index].outgoing.append(frame)
        for side in 0...1 { sides[side].isReset.insert(id) }
      default: try deliver(to: index, &sides)
      }
      for side in sides { hold(side.connections.count <= LocalPageLimits.connections, "There are too many") }
    }
    for index in 0...1 { while !sides[1 - index].outgoing.isEmpty { try deliver(to: index, &sides) } }
    for index in 0...1 { while !sides[1 - index].outgoing.isEmpty { try deliver(to: index, &sides) } }
    for id in sides[0].sent.keys where !sides[0].isReset.contains(id) {
      same(sides[1].received[id, default: 0], sides[0].sent[id], "Bytes are lost")
    }
  }

  /// Both sides keep to the rules, so neither may object.
  private static func deliver(to index: Int, _ sides: inout [Side]) throws {
    guard !sides[1 - index].outgoing.isEmpty else { return }
    let (event, reply) = try sides[index].connections.receive(sides[1 - index].outgoing.removeFirst())
    if let reply { sides[index].outgoing.append(reply) }
    if case .received(let id, let bytes)? = event {
      sides[index].received[id, default: 0] += bytes.count
      let waiting = sides[index].received[id, default: 0] - sides[index].taken[id, default: 0]
      hold(waiting <= LocalPageLimits.window, "\(waiting) bytes wait")
    }
    if case .reset(let id, _)? = event { sides[index].isReset.insert(id) }
  }
}
