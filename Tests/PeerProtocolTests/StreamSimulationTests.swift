import Activity
import PeerProtocol
import SeededGenerator
import Testing

/// One side of a simulated stream: an app that writes and reads at its own pace, and the flow in between.
private struct Side {
  enum Packet {
    case data(offset: UInt64, bytes: [UInt8])
    case acknowledge(StreamFlow.Progress)
    case finish(length: UInt64)
    case resume(StreamFlow.Progress)
  }

  var flow: StreamFlow
  /// What the app writes.
  let content: [UInt8]
  var held: [UInt8] = []
  var taken: [UInt8] = []
  var outgoing: [Packet] = []
  var acknowledgements = 0
  private var isResuming = false
  private var hasSentFinish = false
  private var hasAcknowledgedFinish = false

  init(window: UInt64, replayLength: UInt64, peerWindow: UInt64, _ content: [UInt8]) {
    flow = StreamFlow(window: window, replayLength: replayLength, sendLimit: peerWindow)
    self.content = content
  }

  mutating func write(_ count: Int) {
    guard !isResuming else { return }
    let again = min(UInt64(count), flow.repeatable)
    if again > 0 {
      outgoing.append(.data(offset: flow.repeatOffset, bytes: bytes(flow.repeatOffset, again)))
      return flow.repeated(again)
    }
    let count = min(UInt64(count), flow.sendable, UInt64(content.count) - flow.sentCount)
    if count > 0 {
      outgoing.append(.data(offset: flow.sentCount, bytes: bytes(flow.sentCount, count)))
      flow.sent(count)
    }
    if flow.sentCount == content.count { flow.finishSending() }
    if flow.hasFinishedSending, !hasSentFinish {
      hasSentFinish = true
      outgoing.append(.finish(length: flow.sentCount))
    }
  }

  private func bytes(_ offset: UInt64, _ count: UInt64) -> [UInt8] { Array(content[Int(offset)..<Int(offset + count)]) }

  mutating func read(_ count: Int) {
    let count = min(count, held.count)
    taken += held.prefix(count)
    held.removeFirst(count)
    if let progress = flow.took(UInt64(count)) {
      acknowledgements += 1
      outgoing.append(.acknowledge(progress))
    }
    guard flow.hasFinishedReceiving, held.isEmpty, !hasAcknowledgedFinish else { return }
    hasAcknowledgedFinish = true
    flow.delivered()
    outgoing.append(.acknowledge(flow.report()))
  }

  /// Starts a new session. What was on its way in the previous one is lost.
  mutating func beginSession() {
    // A side that is done says nothing until it is asked.
    guard !flow.isComplete else { return outgoing = [] }
    isResuming = true
    hasSentFinish = false
    let progress = flow.report()
    hasAcknowledgedFinish = progress.isFinished
    outgoing = [.resume(progress)]
  }

  mutating func receive(_ packet: Packet) throws(Reason) {
    switch packet {
    case .data(let offset, let bytes):
      try flow.received(UInt64(bytes.count), at: offset)
      held += bytes
    case .acknowledge(let progress): try flow.acknowledged(progress)
    case .finish(let length): try flow.receivedFinish(length: length)
    case .resume where flow.isComplete: outgoing.append(.resume(flow.report()))
    case .resume(let progress):
      try flow.resumed(progress)
      isResuming = false
    }
  }
}

struct StreamSimulationTests {
  @Test(arguments: 1...40) func everyByteArrivesOnceAndNothingExceedsTheWindow(seed: UInt64) throws {
    try simulate(seed: seed, cutsOneIn: nil)
  }

  @Test(arguments: 1...200) func everyByteArrivesOnceThoughSessionsAreLost(seed: UInt64) throws {
    try simulate(seed: seed, cutsOneIn: [20, 100, 500][Int(seed % 3)])
  }

  private func simulate(seed: UInt64, cutsOneIn rarity: Int?) throws {
    var generator = SeededGenerator(seed: seed)
    let windows = (0...1).map { _ in UInt64.random(in: 1...300, using: &generator) }
    let contents = (0...1).map { _ in
      (0..<Int.random(in: 0...5000, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }
    var sides = [0, 1].map {
      Side(window: windows[$0], replayLength: windows[1 - $0], peerWindow: windows[1 - $0], contents[$0])
    }
    var steps = 0
    while !(sides[0].flow.isComplete && sides[1].flow.isComplete) {
      steps += 1
      try #require(steps < 500_000, "It does not end")
      let side = Int.random(in: 0...1, using: &generator)
      if let rarity, Int.random(in: 0..<rarity, using: &generator) == 0 {
        for side in 0...1 { sides[side].beginSession() }
      }
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
      #expect(sides[side].flow.sentCount - sides[side].flow.acknowledgedCount <= windows[1 - side])
    }
    #expect(sides[0].taken == contents[1])
    #expect(sides[1].taken == contents[0])
    guard rarity == nil else { return }
    for side in 0...1 {
      // There is at most one for each quarter of the window.
      let quarter = max(1, Int(windows[side] / 4))
      #expect(sides[side].acknowledgements <= contents[1 - side].count / quarter + 1)
    }
  }
}
