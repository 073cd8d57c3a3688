// SPDX-License-Identifier: Apache-2.0

import Handoff
import SeededGenerator
import Testing

struct StreamSimulationTests {
  @Test(arguments: seeds(1...40)) func everyByteArrivesOnceAndNothingExceedsTheWindow(seed: UInt64) throws {
    try simulate(seed: seed, cutsOneIn: nil)
  }

  @Test(arguments: seeds(1...200)) func everyByteArrivesOnceThoughSessionsAreLost(seed: UInt64) throws {
    try simulate(seed: seed, cutsOneIn: [20, 100, 500][Int(seed % 3)])
  }

  private func simulate(seed: UInt64, cutsOneIn rarity: Int?) throws {
    var simulation = Simulation(seed: seed)
    var steps = 0
    while !simulation.isOver {
      steps += 1
      try #require(steps < 500_000, "It does not end")
      if let rarity, simulation.happens(oneIn: rarity) { simulation.beginSession() }
      try simulation.step()
      for side in 0...1 {
        let flow = simulation.sides[side].endpoint.flow
        #expect(flow.heldCount == UInt64(simulation.sides[side].heldCount))
        #expect(flow.heldCount <= simulation.windows[side])
        #expect(flow.sentCount - flow.acknowledgedCount <= simulation.windows[1 - side])
      }
    }
    for side in 0...1 {
      #expect(simulation.sides[side].isWhole)
      #expect(simulation.sides[side].received == simulation.sides[1 - side].content)
      #expect(simulation.sides[side].isSocketEnded)
      guard rarity == nil else { continue }
      // There is at most one for each half of the window.
      let half = max(1, Int(simulation.windows[side] / 2))
      #expect(simulation.sides[side].acknowledgements <= simulation.sides[1 - side].content.count / half + 1)
    }
  }

  /// The kernel closes the socket of a killed app and the connection on which it waits in no guaranteed order. After
  /// the end of the peer's bytes, a closed socket looks like one whose app has finished, so only the connection counts.
  @Test(arguments: seeds(1...200)) func aStreamWhoseAppIsKilledIsWholeOnlyIfBothAppsHaveReadEverything(
    seed: UInt64
  ) throws {
    var simulation = Simulation(seed: seed)
    for _ in 0..<simulation.number(below: 600) { try simulation.step() }
    let killed = simulation.number(below: 2)
    let closesSocketFirst = simulation.happens(oneIn: 2) && !simulation.sides[killed].isSocketEnded
    if closesSocketFirst { simulation.sides[killed].closeSocket() } else { simulation.sides[killed].closeWaiter() }
    for _ in 0..<simulation.number(below: 200) { try simulation.step() }
    if closesSocketFirst { simulation.sides[killed].closeWaiter() } else { simulation.sides[killed].closeSocket() }
    for side in 0...1 { simulation.sides[side].pass(StreamEndpoint.appExitTime) }
    var steps = 0
    while !simulation.isOver {
      steps += 1
      try #require(steps < 500_000, "It does not end")
      if simulation.happens(oneIn: 100) { simulation.beginSession() }
      try simulation.step()
    }
    for side in simulation.sides where side.isWhole {
      #expect(simulation.sides[0].received == simulation.sides[1].content)
      #expect(simulation.sides[1].received == simulation.sides[0].content)
    }
  }
}

/// Both sides of a stream, whose steps come in random order.
private struct Simulation {
  private var generator: SeededGenerator
  let windows: [UInt64]
  var sides: [SimulatedSide]

  init(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let windows = (0...1).map { _ in UInt64.random(in: 1...300, using: &generator) }
    let contents = (0...1).map { _ in
      (0..<Int.random(in: 0...5000, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    sides = [0, 1].map {
      SimulatedSide(window: windows[$0], replayLength: windows[1 - $0], peerWindow: windows[1 - $0], contents[$0])
    }
    (self.generator, self.windows) = (generator, windows)
  }

  var isOver: Bool { sides.allSatisfy(\.endpoint.isOver) }

  mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &generator) }

  mutating func happens(oneIn rarity: Int) -> Bool { number(below: rarity) == 0 }

  mutating func beginSession() {
    for side in 0...1 { sides[side].beginSession() }
  }

  /// One app writes or reads, or one side receives a packet.
  mutating func step() throws {
    let side = number(below: 2)
    switch number(below: 3) {
    case 0: sides[side].write(1 + number(below: 400))
    case 1: sides[side].read(1 + number(below: 400))
    default:
      guard !sides[1 - side].outgoing.isEmpty else { return }
      try sides[side].receive(sides[1 - side].outgoing.removeFirst())
    }
  }
}
