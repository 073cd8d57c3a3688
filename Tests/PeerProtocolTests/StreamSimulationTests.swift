import Activity
import PeerProtocol
import SeededGenerator
import Testing

/// One side of a simulated stream: an app that writes and reads in its own time, and the flow between.
private struct Side {
  enum Packet {
    case data(offset: UInt64, bytes: [UInt8])
    case acknowledge(received: UInt64, limit: UInt64)
    case finish(length: UInt64)
  }

  var flow: StreamFlow
  /// What the app still writes.
  var unsent: ArraySlice<UInt8>
  var held: [UInt8] = []
  var taken: [UInt8] = []
  var outgoing: [Packet] = []
  var acknowledgements = 0

  init(window: UInt64, peerWindow: UInt64, _ content: [UInt8]) {
    flow = StreamFlow(window: window, sendLimit: peerWindow)
    unsent = content[...]
  }

  mutating func write(_ count: Int) {
    let bytes = Array(unsent.prefix(min(count, Int(clamping: flow.sendable))))
    if !bytes.isEmpty {
      outgoing.append(.data(offset: flow.sentCount, bytes: bytes))
      flow.sent(UInt64(bytes.count))
      unsent = unsent.dropFirst(bytes.count)
    }
    if unsent.isEmpty, !flow.hasFinishedSending {
      flow.finishSending()
      outgoing.append(.finish(length: flow.sentCount))
    }
  }

  mutating func read(_ count: Int) {
    let count = min(count, held.count)
    taken += held.prefix(count)
    held.removeFirst(count)
    guard let (received, limit) = flow.took(UInt64(count)) else { return }
    acknowledgements += 1
    outgoing.append(.acknowledge(received: received, limit: limit))
  }

  mutating func receive(_ packet: Packet) throws(Reason) {
    switch packet {
    case .data(let offset, let bytes):
      try flow.received(UInt64(bytes.count), at: offset)
      held += bytes
    case .acknowledge(let received, let limit): try flow.acknowledged(received: received, limit: limit)
    case .finish(let length): try flow.receivedFinish(length: length)
    }
  }
}

struct StreamSimulationTests {
  @Test(arguments: 1...40) func everyByteArrivesOnceAndNothingExceedsTheWindow(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let windows = (0...1).map { _ in UInt64.random(in: 1...300, using: &generator) }
    let contents = (0...1).map { _ in
      (0..<Int.random(in: 0...5000, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    var sides = [
      Side(window: windows[0], peerWindow: windows[1], contents[0]),
      Side(window: windows[1], peerWindow: windows[0], contents[1]),
    ]
    var steps = 0
    while !(sides[0].flow.isComplete && sides[1].flow.isComplete) {
      steps += 1
      try #require(steps < 500_000, "It does not end")
      let side = Int.random(in: 0...1, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: sides[side].write(Int.random(in: 1...400, using: &generator))
      case 1: sides[side].read(Int.random(in: 1...400, using: &generator))
      default:
        guard !sides[1 - side].outgoing.isEmpty else { continue }
        let packet = sides[1 - side].outgoing.removeFirst()
        try sides[side].receive(packet)
      }
      #expect(sides[side].flow.heldCount == UInt64(sides[side].held.count))
      #expect(sides[side].flow.heldCount <= windows[side])
    }
    #expect(sides[0].taken == contents[1])
    #expect(sides[1].taken == contents[0])
    for side in 0...1 {
      // At most one for each quarter of the window.
      let quarter = max(1, Int(windows[side] / 4))
      #expect(sides[side].acknowledgements <= contents[1 - side].count / quarter + 1)
    }
  }
}
