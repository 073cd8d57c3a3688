// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// Two sides of one stream, with apps that write, read, finish and are killed, over sessions that are lost. A stream is
/// whole for one side only if each app has read everything that the other wrote, and meant to write no more.
enum StreamEndpointFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    // Both apps write, finish and read everything.
    [
      40, 40, 0, 0, 30, 1, 0, 20, 0, 1, 1, 1, 0, 4, 1, 4, 0, 4, 1, 4, 0, 3, 50, 1, 3, 50, 0, 3, 1, 1, 3, 1, 0, 4, 1, 4,
    ],
    // A session is lost while bytes are on their way.
    [9, 9, 0, 0, 9, 0, 4, 1, 4, 0, 5, 1, 4, 0, 4, 0, 0, 9, 0, 0, 9, 1, 4],
    // An app is killed.
    [20, 20, 0, 0, 9, 0, 6, 0, 0, 0, 9, 1, 4],
  ]

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var now = ContinuousClock.now
    let windows = (0...1).map { _ in UInt64(choices.byte()) + 1 }
    var sides = (0...1).map { Side(window: windows[$0], peerWindow: windows[1 - $0]) }
    for index in 0...1 { sides[index].handle(.attached, now) }
    while !choices.isOver {
      let index = choices.number(below: 2)
      switch choices.number(below: 10) {
      case 0: sides[index].write(UInt64(choices.byte()), now)
      case 1: sides[index].hasFinished = true
      case 2: sides[index].handle(choices.byte() < 16 ? .appExpected : .appAsked, now)
      case 3: sides[index].read(UInt64(choices.byte()), now)
      case 4:
        guard !sides[1 - index].outgoing.isEmpty else { continue }
        let packet = sides[1 - index].outgoing.removeFirst()
        // Both sides keep to the rules, so neither may object.
        try sides[index].receive(packet)
        sides[index].settle(now)
      case 5:
        for side in 0...1 {
          sides[side].outgoing = []
          sides[side].handle(.sessionLost, now)
          sides[side].handle(.sessionBegan, now)
        }
      case 6: if choices.byte() < 16 { sides[index].kill(now) }
      case 7: sides[index].handle(choices.byte() == 0 ? .giveUp(.streamReset) : .appChanged, now)
      case 8:
        now += .milliseconds(Int(choices.byte()) * 10)
        for side in 0...1 { sides[side].wake(now) }
      default:
        var liar = sides[index]
        do throws(Reason) { try liar.receive(lie(&choices)) } catch { same(error, .protocolViolation) }
      }
      for side in 0...1 where sides[side].isWhole {
        let (own, other) = (sides[side], sides[1 - side])
        same(own.readCount, other.endpoint.flow.sentCount, "A stream is whole, and this app has not read all")
        same(other.readCount, own.endpoint.flow.sentCount, "A stream is whole, and the other app has not read all")
        hold(own.hasFinished && other.hasFinished, "A stream is whole, and an app did not finish")
      }
    }
  }

  private static func lie(_ choices: inout Choices) -> Side.Packet {
    let numbers = [0, 1, UInt64(choices.byte()), .max, .max - 1, choices.word()]
    let progress = StreamFlow.Progress(
      received: choices.pick(numbers),
      limit: choices.pick(numbers),
      isFinished: choices.flag()
    )
    switch choices.number(below: 4) {
    case 0: return .data(offset: choices.pick(numbers), count: choices.pick(numbers))
    case 1: return .message(.acknowledge(Acknowledge(stream: 1, progress: progress)))
    case 2: return .message(.finish(Finish(stream: 1, length: choices.pick(numbers))))
    default: return .message(.resume(Resume(stream: 1, progress: progress)))
    }
  }
}

/// An endpoint, the app's socket, and the app.
private struct Side {
  enum Packet {
    case data(offset: UInt64, count: UInt64)
    case message(StreamMessage)
  }

  var endpoint: StreamEndpoint
  var outgoing: [Packet] = []
  /// Whether the app has said that it writes no more.
  var hasFinished = false
  private var app = StreamEndpoint.AppCondition(hasHungUp: false, isAwaited: true, isAbandoned: false)
  /// How many bytes the app has not read from its socket, and how many it has read.
  private var unreadCount: UInt64 = 0
  private(set) var readCount: UInt64 = 0
  private(set) var isWhole = false
  private var effects: [StreamEndpoint.Effect] = []
  private var answer: StreamMessage?

  init(window: UInt64, peerWindow: UInt64) {
    endpoint = StreamEndpoint(
      number: 1,
      flow: StreamFlow(window: window, replayLength: peerWindow, sendLimit: peerWindow)
    )
  }

  mutating func write(_ count: UInt64, _ now: ContinuousClock.Instant) {
    switch endpoint.outgoing {
    case .nothing: break
    case .again: handle(.readAgain(max(1, min(count, endpoint.flow.repeatable))), now)
    case .new(let limit):
      let isOver = hasFinished || app.hasHungUp
      handle(isOver ? .readEnd(app) : .read(max(1, min(count, limit))), now)
    }
  }

  mutating func read(_ count: UInt64, _ now: ContinuousClock.Instant) {
    guard !endpoint.isOver else { return }
    if app.hasHungUp {
      return handle(endpoint.flow.heldCount > 0 || unreadCount > 0 ? .socketFailed : .wrote(0), now)
    }
    let count = min(count, unreadCount)
    unreadCount -= count
    readCount += count
    let taken = endpoint.flow.heldCount
    unreadCount += taken
    handle(.wrote(taken), now)
  }

  /// The daemon sees both signs, because it asks the kernel for them when it sees one.
  mutating func kill(_ now: ContinuousClock.Instant) {
    app = StreamEndpoint.AppCondition(hasHungUp: true, isAwaited: false, isAbandoned: true)
    handle(.waiterLeft, now)
  }

  mutating func wake(_ now: ContinuousClock.Instant) {
    var rounds = 0
    while let deadline = endpoint.deadline, deadline <= now {
      rounds += 1
      hold(rounds < 4, "It would be woken without end")
      handle(.wake, now)
    }
  }

  mutating func receive(_ packet: Packet) throws(Reason) {
    switch packet {
    case .message(.resume) where endpoint.isOver:
      if let answer { outgoing.append(.message(answer)) }
    case .message(let message): effects += try endpoint.receive(message)
    case .data(let offset, let count):
      if !endpoint.isOver { try endpoint.received(count, at: offset) }
    }
  }

  mutating func handle(_ event: StreamEndpoint.Event, _ now: ContinuousClock.Instant) {
    let wasOver = endpoint.isOver
    let new = endpoint.handle(event, at: now)
    hold(!wasOver || new.isEmpty, "The stream is over, and \(event) has effects")
    effects += new
    settle(now)
  }

  /// Carries out the effects.
  mutating func settle(_ now: ContinuousClock.Instant) {
    while !effects.isEmpty {
      switch effects.removeFirst() {
      case .send(let message): outgoing.append(.message(message))
      case .sendData(let count):
        let offset = endpoint.flow.sentCount - endpoint.flow.repeatable - count
        outgoing.append(.data(offset: offset, count: count))
      case .lookAtApp: handle(.looked(app), now)
      case .checkDelivery:
        handle(unreadCount == 0 ? .allRead : app.hasHungUp ? .socketFailed : .unread, now)
      case .end(let reason, let answer):
        hold(self.answer == nil, "The stream ends twice")
        isWhole = reason == nil
        self.answer = answer
      case .pump, .deliver, .suspend, .resumed, .endSocket, .watchApp: break
      }
    }
  }
}
