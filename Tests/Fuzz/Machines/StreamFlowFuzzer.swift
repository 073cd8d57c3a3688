// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding

/// Two sides of one stream, over sessions that are lost, with a peer that may lie.
enum StreamFlowFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [10, 20, 0, 9, 1, 9, 6, 0, 8, 0, 1, 4, 7, 6, 6, 6], [200, 100, 0, 99, 5, 0, 0, 50, 6, 1, 30, 6, 2, 6, 3, 6, 4, 6],
    [4, 4, 0, 3, 0, 3, 6, 6, 1, 3, 6, 9, 1, 0, 3, 255],
  ]

  private enum Packet {
    case data(offset: UInt64, count: UInt64)
    case acknowledge(StreamFlow.Progress)
    case finish(length: UInt64)
    case resume(StreamFlow.Progress)
  }

  private struct Side {
    var flow: StreamFlow
    let window: UInt64
    let replayLength: UInt64
    var outgoing: [Packet] = []
    var taken: UInt64 = 0
    var isResuming = false
  }

  static let length = 1024

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let windows = (0...1).map { _ in UInt64(choices.byte()) + 1 }
    var sides = (0...1).map { side in
      Side(
        flow: StreamFlow(window: windows[side], replayLength: windows[1 - side], sendLimit: windows[1 - side]),
        window: windows[side],
        replayLength: windows[1 - side]
      )
    }
    while !choices.isOver {
      let index = choices.number(below: 2)
      switch choices.number(below: 10) {
      case 0, 1: write(UInt64(choices.byte()), &sides[index])
      case 2, 3: read(UInt64(choices.byte()), &sides[index])
      case 4:
        guard sides[index].flow.repeatable == 0, !sides[index].isResuming else { continue }
        sides[index].flow.finishSending()
        sides[index].outgoing.append(.finish(length: sides[index].flow.sentCount))
      case 5:
        for side in 0...1 {
          // A side that is done says nothing until it is asked.
          sides[side].isResuming = !sides[side].flow.isComplete
          sides[side].outgoing = sides[side].isResuming ? [.resume(sides[side].flow.report())] : []
        }
      case 6, 7, 8:
        guard !sides[1 - index].outgoing.isEmpty else { continue }
        // Both sides keep to the rules, so neither may object.
        try receive(sides[1 - index].outgoing.removeFirst(), &sides[index])
      default:
        var liar = sides[index]
        do throws(Reason) { try receive(lie(&choices), &liar) } catch { same(error, .protocolViolation) }
        check(liar, isTrue: false)
      }
      for side in sides { check(side, isTrue: true) }
    }
  }

  private static func lie(_ choices: inout Choices) -> Packet {
    let numbers = [0, 1, UInt64(choices.byte()), .max, .max - 1, 1 << 63, choices.word()]
    let progress = StreamFlow.Progress(
      received: choices.pick(numbers),
      limit: choices.pick(numbers),
      isFinished: choices.flag()
    )
    switch choices.number(below: 4) {
    case 0: return .data(offset: choices.pick(numbers), count: choices.pick(numbers))
    case 1: return .acknowledge(progress)
    case 2: return .finish(length: choices.pick(numbers))
    default: return .resume(progress)
    }
  }

  private static func write(_ count: UInt64, _ side: inout Side) {
    guard !side.isResuming else { return }
    let again = min(count, side.flow.repeatable)
    if again > 0 {
      side.outgoing.append(.data(offset: side.flow.sentCount - side.flow.repeatable, count: again))
      return side.flow.repeated(again)
    }
    let count = min(count, side.flow.sendable)
    guard count > 0 else { return }
    side.outgoing.append(.data(offset: side.flow.sentCount, count: count))
    side.flow.sent(count)
  }

  private static func read(_ count: UInt64, _ side: inout Side) {
    let count = min(count, side.flow.heldCount)
    side.taken += count
    if let progress = side.flow.took(count) { side.outgoing.append(.acknowledge(progress)) }
    guard side.flow.hasFinishedReceiving, side.flow.heldCount == 0, !side.flow.isDelivered else { return }
    side.flow.delivered()
    side.outgoing.append(.acknowledge(side.flow.report()))
  }

  private static func receive(_ packet: Packet, _ side: inout Side) throws(Reason) {
    switch packet {
    case .data(let offset, let count): try side.flow.received(count, at: offset)
    case .acknowledge(let progress): try side.flow.acknowledged(progress)
    case .finish(let length): try side.flow.receivedFinish(length: length)
    case .resume where side.flow.isComplete: side.outgoing.append(.resume(side.flow.report()))
    case .resume(let progress):
      try side.flow.resumed(progress)
      side.isResuming = false
    }
  }

  /// - Parameter isTrue: Whether the other side keeps to the rules.
  private static func check(_ side: Side, isTrue: Bool) {
    let flow = side.flow
    hold(flow.heldCount <= side.window, "\(flow.heldCount) bytes are held of \(side.window)")
    hold(flow.sentCount - flow.acknowledgedCount <= side.replayLength, "More is to be kept than there is room for")
    hold(flow.sendable <= side.replayLength, "\(flow.sendable) bytes may be sent")
    hold(flow.repeatable <= flow.sentCount - flow.acknowledgedCount, "Bytes to be sent again")
    same(flow.receivedCount - flow.heldCount, side.taken)
    guard isTrue else { return }
    // The daemon that takes over reads the same state.
    guard let read = StreamFlow(json: flow.json) else { fatalError("\(flow.json.text) cannot be read") }
    same(read.json, flow.json)
  }
}
