// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// One side of a simulated stream: an app that writes and reads at its own pace, its socket, and the endpoint.
struct SimulatedSide {
  enum Packet {
    case data(offset: UInt64, bytes: [UInt8])
    case message(StreamMessage)
  }

  var endpoint: StreamEndpoint
  /// What the app writes.
  let content: [UInt8]
  var now = ContinuousClock.now
  /// What arrived and is not in the app's socket, what the app has not read from it, and what the app has read.
  private var held: [UInt8] = []
  private var socket: [UInt8] = []
  private(set) var received: [UInt8] = []
  /// Whether the app finds the end after what it has not read.
  private(set) var isSocketEnded = false
  private var isWatched = false
  private var app = StreamEndpoint.AppCondition(hasHungUp: false, isAwaited: true, isAbandoned: false)
  private var hasLostBytes = false
  var outgoing: [Packet] = []
  private(set) var acknowledgements = 0
  /// How the stream ended; and what the peer hears that asks for it later.
  private(set) var outcome: Reason??
  private var answer: StreamMessage?

  init(window: UInt64, replayLength: UInt64, peerWindow: UInt64, _ content: [UInt8]) {
    endpoint = StreamEndpoint(
      number: 1,
      flow: StreamFlow(window: window, replayLength: replayLength, sendLimit: peerWindow)
    )
    self.content = content
    handle(.attached)
  }

  var isWhole: Bool { if case .some(.none) = outcome { true } else { false } }

  var heldCount: Int { held.count }

  // MARK: The app

  /// The app writes up to so many bytes, and they are sent as far as they may be.
  mutating func write(_ count: Int) {
    switch endpoint.outgoing {
    case .nothing: break
    case .again: handle(.readAgain(min(UInt64(count), endpoint.flow.repeatable)))
    case .new(let limit):
      let rest = app.hasHungUp ? 0 : UInt64(content.count) - endpoint.flow.sentCount
      handle(rest == 0 ? .readEnd(app) : .read(min(UInt64(count), limit, rest)))
    }
  }

  /// The app reads up to so many bytes, and its socket takes as many.
  mutating func read(_ count: Int) {
    if !app.hasHungUp {
      let count = min(count, socket.count)
      received += socket.prefix(count)
      socket.removeFirst(count)
      if isWatched, count > 0 { handle(.appChanged) }
    }
    guard !endpoint.isOver else { return }
    if app.hasHungUp, !held.isEmpty { return handle(.socketFailed) }
    let taken = min(count, held.count)
    socket += held.prefix(taken)
    held.removeFirst(taken)
    handle(.wrote(UInt64(taken)))
  }

  /// The kernel closes the socket of the app, which was killed.
  mutating func closeSocket() {
    app.hasHungUp = true
    hasLostBytes = !socket.isEmpty
    if isWatched { handle(.appChanged) }
  }

  /// The kernel closes the connection on which the app, which was killed, waited for the stream's end.
  mutating func closeWaiter() {
    app.isAwaited = false
    app.isAbandoned = true
    handle(.waiterLeft)
  }

  mutating func pass(_ duration: Duration) {
    now += duration
    handle(.wake)
  }

  // MARK: The session

  /// Starts a new session. What was on its way in the previous one is lost.
  mutating func beginSession() {
    outgoing = []
    handle(.sessionLost)
    handle(.sessionBegan)
  }

  mutating func receive(_ packet: Packet) throws(Reason) {
    switch packet {
    case .message(.resume) where endpoint.isOver:
      if let answer { outgoing.append(.message(answer)) }
    case .message(let message): try perform(endpoint.receive(message))
    case .data(let offset, let bytes):
      guard !endpoint.isOver else { return }
      try endpoint.received(UInt64(bytes.count), at: offset)
      held += bytes
    }
  }

  // MARK: Effects

  private mutating func handle(_ event: StreamEndpoint.Event) { perform(endpoint.handle(event, at: now)) }

  private mutating func perform(_ effects: [StreamEndpoint.Effect]) {
    for effect in effects {
      switch effect {
      case .send(let message):
        if case .acknowledge = message { acknowledgements += 1 }
        outgoing.append(.message(message))
      case .sendData(let count):
        let offset = endpoint.flow.sentCount - endpoint.flow.repeatable - count
        outgoing.append(.data(offset: offset, bytes: Array(content[Int(offset)..<Int(offset + count)])))
      case .lookAtApp: handle(.looked(app))
      case .checkDelivery: handle(hasLostBytes ? .socketFailed : socket.isEmpty ? .allRead : .unread)
      case .watchApp(let isOn): isWatched = isOn
      case .endSocket: isSocketEnded = true
      case .end(let reason, let answer):
        outcome = .some(reason)
        self.answer = answer
      case .pump, .deliver, .suspend, .resumed: break
      }
    }
  }
}
