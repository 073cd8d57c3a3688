// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes

/// A shared session and one receiver: what machines, streams and people do, in any order.
enum TerminalFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    [0, 0, 1, 1, 2, 1, 1, 1], [0, 0, 1, 3, 5, 5, 2], [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3], Array(0..<100),
  ]

  static let length = 512

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    if choices.flag() { shares(&choices) } else { connects(&choices) }
  }

  private static func shares(_ choices: inout Choices) {
    var share = TerminalShare(resumeTime: .seconds(60)) { "token" }
    var connected: Set<TerminalShare.Stream> = []
    var continuations = 0
    var now = ContinuousClock.now
    while !choices.isOver {
      now += .seconds(Int(choices.byte()))
      let stream = TerminalShare.Stream(choices.number(below: 16))
      let event: TerminalShare.Event
      switch choices.number(below: 6) {
      case 0: event = .continued
      case 1 where !connected.contains(stream): event = .requested(stream, token: nil)
      case 2 where !connected.contains(stream): event = .requested(stream, token: choices.flag() ? "token" : "other")
      case 3: event = .broke(stream)
      case 4: event = .detached(stream)
      default: event = .wake
      }
      if event == .continued { continuations += 1 }
      for effect in share.handle(event, at: now) {
        switch effect {
        case .connect(let stream, _):
          connected.insert(stream)
          if event == .requested(stream, token: nil) { continuations -= 1 }
          hold(continuations >= 0, "A stream connects without a continuation")
        case .drop(let stream): hold(connected.remove(stream) != nil, "\(stream) is dropped and not connected")
        case .refuse(let stream, _): hold(!connected.contains(stream), "\(stream) is refused and connected")
        case .offer: break
        }
      }
      if case .broke = event, connected.remove(stream) == nil { continuations = max(0, continuations - 1) }
      if case .detached = event { connected.remove(stream) }
      hold(share.connectedCount <= TerminalShare.connectionLimit, "\(share.connectedCount) are connected")
      if let deadline = share.deadline { hold(deadline > now || event == .continued, "A time that is over stays") }
    }
  }

  private static func connects(_ choices: inout Choices) {
    var connection = TerminalConnection(longestResumeTime: .seconds(600)) { 0.5 }
    var isOver = false
    var isOpen = false
    var now = ContinuousClock.now
    let failures: [TerminalConnection.Failure] = [.unreachable, .unknown, .notOffered, .refused(.streamsNotSupported)]
    var event = TerminalConnection.Event.begin
    while true {
      for effect in connection.handle(event, at: now) {
        hold(!isOver, "\(effect) after the end")
        switch effect {
        case .open: isOpen = true
        case .closeStream: isOpen = false
        case .sendDetach, .sendPing, .draw, .tellSilent: hold(isOpen, "\(effect) without a stream")
        case .wake(let instant): if let instant { hold(instant >= now, "It wakes in the past") }
        case .finish: isOver = true
        case .continueAgain, .tellBroken, .tellConnected: break
        }
      }
      hold(!connection.isConnected || isOpen, "It is connected without a stream")
      hold(!connection.isConnected || !connection.isBroken, "It is connected and broken")
      guard !choices.isOver else { return }
      now += .seconds(Int(choices.byte()))
      switch choices.number(below: 11) {
      case 0:
        let time = choices.flag() ? Int.max : Int(choices.byte()) - 8
        event = .welcomed(TerminalWelcome(session: "s", resumeTime: time, token: "t", isReadOnly: false))
      case 1: event = .broke(choices.pick(failures))
      case 2: event = .continuedAgain
      case 3: event = .ended(TerminalEnd(.detached))
      case 4: event = .left
      case 5: event = .stopped
      case 6: event = .resumed
      case 7: event = .typed
      case 8: event = .heard
      case 9: event = .answered
      default: event = .wake
      }
    }
  }
}
