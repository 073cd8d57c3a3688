// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// What clipboard managers and other mirrors put into the clipboard.
struct MirrorPutBackTests {
  private let first = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 1, count: 32))!)
  private let info = CopyInfo([.text], size: 5, copied: nil)

  private func question(
    _ name: String = "UTF8_STRING",
    other: CopyTable.Key? = nil,
    isPutBack: Bool = false
  ) -> Mirror.Question {
    .new(name: name, other: other, isPutBack: isPutBack)
  }

  private func publication(_ number: Int, size: Int? = nil) -> [Mirror.Effect] {
    [.publish(number, [.text], names: [.text: "UTF8_STRING"], size: size)]
  }

  @Test func whatComesInMomentsInWhichManagersPutThingsBackIsRead() {
    let start = ContinuousClock.now
    // What happened before, and whether a text that is selected then is read.
    let cases: [([Mirror.Event], Mirror.Question?)] = [
      ([.offersChanged([first], newer: 1)], question(other: first)),
      ([.offersChanged([first], newer: 1), .described(first, info)], question(other: first)),
      ([.selected(1, names: ["UTF8_STRING"])], nil), ([.selected(1, names: ["image/png"])], nil), ([], nil),
    ]
    for (before, expected) in cases {
      var mirror = Mirror()
      for event in before { _ = mirror.handle(event, at: start) }
      var later = mirror
      let names = ["UTF8_STRING"]
      let effects = mirror.handle(.selected(9, names: names), at: start + .seconds(3))
      #expect(effects == (expected.map { [.measure(9, $0)] } ?? publication(9)))
      #expect(later.handle(.selected(9, names: names), at: start + .seconds(6)) == publication(9))
      // What can be read only once is never read for that.
      later = mirror
      let once = later.handle(
        .selected(10, names: names + ["application/x-baton-pasted-once"]),
        at: start + .seconds(3)
      )
      #expect(once == publication(10))
    }
  }

  @Test func whatTheShellSetsIsReadBecauseItIsEmptyWhenTheScreenIsLocked() {
    let start = ContinuousClock.now
    let name = "text/plain;charset=utf-8"
    for names in [[name], [name, "UTF8_STRING", "TARGETS", "TIMESTAMP"]] {
      var mirror = Mirror()
      let number = names.count
      let read = SelectionTypes.offered(names).first?.name ?? ""
      #expect(mirror.handle(.selected(number, names: names), at: start) == [.measure(number, question(read))])
      var other = mirror
      #expect(mirror.handle(.measured(number, .empty), at: start) == [.withdraw])
      #expect(
        other.handle(.measured(number, .new(size: 5)), at: start)
          == [.publish(number, [.text], names: [.text: read], size: 5)]
      )
    }
    // The last ones are what Mutter says of an X11 program.
    for names in [[name, "text/plain"], [name, "text/html"], ["TARGETS", "UTF8_STRING", name]] {
      var mirror = Mirror()
      let effects = mirror.handle(.selected(1, names: names), at: start)
      #expect(!effects.contains { if case .measure = $0 { true } else { false } })
    }
  }

  @Test func whatAManagerPutsBackIsTheSameCopy() throws {
    let plain = try #require(MediaType("text/plain"))
    for (mark, isKept) in [("application/x-baton-put-back", false), ("application/x-kde-onlyReplaceEmpty", true)] {
      var mirror = Mirror()
      var now = ContinuousClock.now
      #expect(mirror.handle(.selected(1, names: ["UTF8_STRING"]), at: now) == publication(1))
      now += .seconds(10)
      if isKept { #expect(mirror.handle(.unselected, at: now) == [.wake(at: now + Limits.selectionGap)]) }
      let putBack = Mirror.Event.selected(2, names: ["text/plain", mark])
      #expect(mirror.handle(putBack, at: now) == [.measure(2, question("text/plain", isPutBack: true))])
      #expect(
        mirror.handle(.measured(2, .known), at: now) == [
          .handOver(2, names: [.text: "text/plain", plain: "text/plain"])
        ]
      )
      // It stays there.
      #expect(mirror.handle(.wake, at: now + .seconds(2)) == [])
    }
  }

  @Test func whatAManagerHasNotKeptIsNoLongerOffered() throws {
    let html = try #require(MediaType("text/html"))
    let start = ContinuousClock.now
    for (kept, isSame) in [(["UTF8_STRING", "text/html"], true), (["UTF8_STRING"], false)] {
      var mirror = Mirror()
      _ = mirror.handle(.selected(1, names: ["UTF8_STRING", "text/html"]), at: start)
      _ = mirror.handle(.unselected, at: start + .seconds(10))
      let putBack = Mirror.Event.selected(2, names: kept + ["application/x-baton-put-back"])
      _ = mirror.handle(putBack, at: start + .seconds(10))
      let effects = mirror.handle(.measured(2, .known), at: start + .seconds(10))
      let names: [MediaType: String] = [.text: "UTF8_STRING", html: "text/html"]
      #expect(effects == (isSame ? [.handOver(2, names: names)] : publication(2)))
    }
  }

  @Test func whatAManagerPutsIntoAnEmptyClipboardIsNoCopy() {
    let start = ContinuousClock.now
    for mark in ["application/x-baton-put-back", "application/x-kde-onlyReplaceEmpty"] {
      // What was copied here is withdrawn by then, or was copied on another machine.
      var mirror = Mirror()
      _ = mirror.handle(.selected(1, names: ["UTF8_STRING"]), at: start)
      _ = mirror.handle(.unselected, at: start + .seconds(10))
      #expect(mirror.handle(.wake, at: start + .seconds(11)) == [.withdrawSelection])
      #expect(mirror.handle(.selected(2, names: ["text/plain", mark]), at: start + .seconds(20)) == [.withdraw])
    }
    // It does not say what it is.
    var mirror = Mirror()
    _ = mirror.handle(.offersChanged([first], newer: 1), at: start)
    _ = mirror.handle(.described(first, info), at: start)
    _ = mirror.handle(.offersChanged([], newer: 0), at: start)
    #expect(mirror.handle(.wake, at: start + .seconds(1)) == [.drop])
    #expect(mirror.handle(.selected(2, names: ["UTF8_STRING"]), at: start + .seconds(2)) == [.withdraw])
    #expect(mirror.handle(.selected(3, names: ["UTF8_STRING"]), at: start + .seconds(60)) == publication(3))
  }

  @Test func aManagerThatIsLateDoesNotReplaceTheNextCopy() {
    let start = ContinuousClock.now
    // How long after it came something older takes its place, and whether it returns.
    for (delay, isReturned) in [(1, true), (4, false)] {
      var mirror = Mirror()
      _ = mirror.handle(.offersChanged([first], newer: 1), at: start)
      _ = mirror.handle(.described(first, info), at: start)
      var now = start + .seconds(delay)
      _ = mirror.handle(.selected(1, names: ["UTF8_STRING"]), at: now)
      let effects = mirror.handle(.measured(1, .older), at: now)
      #expect(effects == (isReturned ? [.describe(first, isCompared: false)] : []))
      guard isReturned else { continue }
      // Only once.
      _ = mirror.handle(.described(first, info), at: now)
      now += .seconds(1)
      _ = mirror.handle(.selected(2, names: ["UTF8_STRING"]), at: now)
      #expect(mirror.handle(.measured(2, .older), at: now) == [])
    }
  }

  @Test func aPictureThatAManagerEncodesAnewStaysHere() throws {
    let png = try #require(MediaType("image/png"))
    let start = ContinuousClock.now
    // What is mirrored, what is selected then, how long after it was read, and whether it stays here unread.
    let cases: [(MediaType, String, Duration?, Bool)] = [
      (png, "image/jpeg", .seconds(1), true), (png, "image/png", .seconds(3), false), (png, "image/png", nil, false),
      (png, "UTF8_STRING", .seconds(1), false), (.text, "image/png", .seconds(1), false),
    ]
    for (mirrored, name, sinceRead, staysHere) in cases {
      var mirror = Mirror()
      _ = mirror.handle(.offersChanged([first], newer: 1), at: start)
      _ = mirror.handle(.described(first, CopyInfo([mirrored], size: 5, copied: nil)), at: start)
      let now = start + .seconds(3)
      #expect((mirror.handle(.selected(1, names: [name], sinceRead: sinceRead), at: now) == []) == staysHere)
      // The manager does it again.
      #expect((mirror.handle(.selected(2, names: [name]), at: now + .seconds(1)) == []) == staysHere)
      #expect(mirror.handle(.selected(3, names: [name]), at: now + .seconds(9)) != [])
    }
  }

  @Test func theNamesOfFilesStayHereInTheHandsOfAManager() {
    for isMarked in [true, false] {
      var mirror = Mirror()
      var now = ContinuousClock.now
      // Managers have no secret.
      _ = mirror.handle(.selected(0, names: ["UTF8_STRING"]), at: now)
      now += .seconds(60)
      let names = isMarked ? ["x-special/gnome-copied-files"] : []
      var effects = mirror.handle(.selected(1, names: names + ["text/uri-list", "UTF8_STRING"]), at: now)
      if !isMarked { effects = mirror.handle(.measured(1, .files), at: now) }
      #expect(effects == [.withdraw])
      // A manager takes the text over immediately, or when there is nothing else. It ends, too, and another one has it.
      for (number, isEmpty) in [(2, false), (3, true), (4, true)] {
        if isEmpty {
          now += .seconds(60)
          _ = mirror.handle(.unselected, at: now)
        }
        now += .seconds(1)
        #expect(mirror.handle(.selected(number, names: ["UTF8_STRING"]), at: now) == [.withdraw])
      }
      // What is copied later is a copy.
      var later = mirror
      _ = later.handle(.unselected, at: now)
      now += .seconds(6)
      #expect(later.handle(.selected(5, names: ["UTF8_STRING"]), at: now) == publication(5))
      #expect(mirror.handle(.selected(5, names: ["UTF8_STRING"]), at: now) == publication(5))
    }
  }

  @Test func whatAnotherMirrorBringsSoonAfterASecretIsNotMirrored() {
    let start = ContinuousClock.now
    for (date, isMirrored) in [(1, false), (6, true)] {
      var mirror = Mirror()
      _ = mirror.handle(.selected(1, names: ["x-kde-passwordManagerHint"]), at: start)
      // Offers are looked at once more, whatever holds them up.
      let early = mirror.handle(.offersChanged([first], newer: 1), at: start + .seconds(date))
      let later = mirror.handle(.wake, at: start + .seconds(60))
      #expect((early + later).contains(.describe(first, isCompared: false)) == isMirrored)
    }
  }

  @Test func whatWasCopiedHereAtTheSameTimeIsCompared() {
    let start = ContinuousClock.now
    for (arrival, isCompared) in [(0.1, true), (6.0, false)] {
      var mirror = Mirror()
      _ = mirror.handle(.selected(1, names: ["UTF8_STRING"]), at: start)
      var effects = mirror.handle(.offersChanged([first], newer: 1), at: start + .seconds(arrival))
      if arrival < 2 { effects = mirror.handle(.wake, at: start + .seconds(2)) }
      #expect(effects == [.describe(first, isCompared: isCompared)])
    }
  }
}
