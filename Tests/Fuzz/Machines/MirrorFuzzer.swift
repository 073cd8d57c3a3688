// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// The desktop's selection and what other machines offer, in any order.
enum MirrorFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [[0, 1, 0, 3, 0, 1, 1, 4, 1], [2, 3, 5, 1, 0, 2, 2, 0]]
  static let length = 512

  private static let hint = "x-kde-passwordManagerHint"
  private static let pastedOnce = "application/x-baton-pasted-once"
  private static let selections = [
    ["UTF8_STRING"], ["image/png"], ["TARGETS"], ["UTF8_STRING", hint], ["text/uri-list"],
    ["UTF8_STRING", "application/x-kde-onlyReplaceEmpty"], ["UTF8_STRING", "application/x-baton-put-back"],
    ["UTF8_STRING", pastedOnce],
  ]

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var mirror = Mirror()
    var now = ContinuousClock.now
    var copies: [CopyTable.Key] = []
    /// What was offered before a local program took the selection.
    var old: Set<CopyTable.Key> = []
    var (number, names, isKnown): (Int, [String], Bool) = (0, [], false)
    var described: [CopyTable.Key] = []
    var mirrored: CopyTable.Key?
    /// Until when what is selected may be a secret without its mark.
    var distrustedUntil = now
    var isDistrusted = false
    // Whether this machine's copy is offered, and was when something was selected last.
    var (isPublished, wasPublished) = (false, false)
    while !choices.isOver {
      var event: Mirror.Event
      now += .milliseconds(100 * choices.number(below: 100))
      switch choices.number(below: 7) {
      case 0:
        (number, isKnown, wasPublished, isPublished) = (number + 1, false, isPublished, false)
        names = selections[choices.number(below: selections.count)]
        isDistrusted = now < distrustedUntil
        if names.contains(hint) { distrustedUntil = now + SecretSequence.secretEchoTime }
        event = .selected(number, names: names, sinceRead: choices.flag() ? .zero : nil)
        old.formUnion(copies)
        mirrored = nil
      case 1: event = .unselected
      case 2:
        let measured: [Mirror.Measured] = [.unknown, .empty, .files, .known, .new(size: 5), .older]
        let answer = measured[choices.number(below: measured.count)]
        isKnown = answer == .known || answer == .older
        if answer == .older, let key = copies.first { old.remove(key) }
        event = .measured(number - choices.number(below: 2), answer)
      case 3:
        if choices.flag() || copies.isEmpty { copies.insert(key(&choices), at: 0) } else { copies.removeLast() }
        event = .offersChanged(copies, newer: choices.number(below: copies.count + 1))
      case 4:
        guard let key = described.popLast() else { continue }
        event = .described(key, choices.flag() ? CopyInfo([.text], size: 5, copied: nil) : nil)
      case 5: event = .wake
      default:
        event = .helperLost
        mirrored = nil
      }
      for effect in mirror.handle(event, at: now) {
        switch effect {
        case .measure(let read, _), .publish(let read, _, _, _), .handOver(let read, _):
          hold(read == number, "an earlier selection is read")
          hold(!names.contains(hint), "a secret is read")
          hold(!isDistrusted, "what may be a secret is read")
          // What is known and has fewer types than before is offered anew.
          if case .publish = effect { hold(!isKnown || wasPublished, "it is sent back") }
          if case .measure = effect {} else { isPublished = true }
          if case .measure = effect { hold(!names.contains(pastedOnce), "it is gone") }
        case .describe(let key, _):
          hold(copies.contains(key) && !old.contains(key), "what was there before is described")
          described.append(key)
        case .take(let key, _):
          hold(copies.contains(key) && !old.contains(key), "what was there before replaces the selection")
          (mirrored, isPublished) = (key, false)
        case .drop:
          hold(mirrored != nil, "there is nothing to drop")
          mirrored = nil
        case .withdraw, .withdrawSelection: isPublished = false
        case .wake(let instant): hold(instant > now, "it wakes at once")
        }
      }
      same(mirror.mirrored, mirrored)
      old.formIntersection(copies)
    }
  }

  private static func key(_ choices: inout Choices) -> CopyTable.Key {
    let bytes = [UInt8](repeating: choices.byte(), count: 32)
    guard let activity = ActivityID(bytes: bytes.prefix(16)), let device = DeviceID(bytes: bytes) else {
      fatalError("The lengths are those of IDs.")
    }
    return CopyTable.Key(activity: activity, deviceID: device)
  }
}
