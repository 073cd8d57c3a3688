// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// A mirror of which so little is asked that no pace holds it up.
struct SlowMirror {
  private var mirror = Mirror()
  private var now = ContinuousClock.now

  var mirrored: CopyTable.Key? { mirror.mirrored }

  mutating func handle(_ event: Mirror.Event) -> [Mirror.Effect] {
    now += .seconds(60)
    return mirror.handle(event, at: now)
  }
}

struct MirrorTests {
  private let first = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 1, count: 32))!)
  private let second = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 2, count: 32))!)
  private let info = CopyInfo([.text], size: 5, copied: nil)

  private func mirroring() -> SlowMirror {
    var mirror = SlowMirror()
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [.describe(first, isCompared: false)])
    #expect(mirror.handle(.described(first, info)) == [.withdrawSelection, .take(first, info)])
    return mirror
  }

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

  @Test func nothingIsReadBeforeItIsOffered() throws {
    var mirror = SlowMirror()
    #expect(mirror.handle(.selected(1, names: ["TARGETS", "UTF8_STRING"])) == publication(1))
    let png = try #require(MediaType("image/png"))
    #expect(
      mirror.handle(.selected(2, names: ["image/png"])) == [.publish(2, [png], names: [png: "image/png"], size: nil)]
    )
  }

  @Test func whatMayBeWhatWasMirroredIsReadWhateverItsType() throws {
    var mirror = SlowMirror()
    let png = try #require(MediaType("image/png"))
    let selected = Mirror.Event.selected(1, names: ["image/png"], sinceRead: .zero)
    #expect(mirror.handle(selected) == [.measure(1, question("image/png"))])
    #expect(mirror.handle(.measured(1, .known)) == [])
    #expect(mirror.handle(selected) == [.measure(1, question("image/png"))])
    #expect(
      mirror.handle(.measured(1, .new(size: 5))) == [.publish(1, [png], names: [png: "image/png"], size: 5)]
    )
  }

  @Test func aListOfAddressesIsReadAndFilesStayHere() {
    var mirror = SlowMirror()
    let names = ["text/uri-list", "UTF8_STRING"]
    #expect(mirror.handle(.selected(1, names: names)) == [.measure(1, .files(name: "text/uri-list"))])
    #expect(mirror.handle(.measured(1, .files)) == [.withdraw])
    _ = mirror.handle(.selected(2, names: names))
    #expect(mirror.handle(.measured(2, .new(size: nil))) == publication(2))
    #expect(mirror.handle(.selected(3, names: names + ["x-special/gnome-copied-files"])) == [.withdraw])
  }

  @Test func anEmptyAnswerIsNoCopy() {
    var mirror = SlowMirror()
    _ = mirror.handle(.selected(1, names: ["UTF8_STRING"], sinceRead: .zero))
    #expect(mirror.handle(.measured(1, .empty)) == [.withdraw])
  }

  @Test func nothingIsReadOfSecretsAndWhatWasOfferedIsWithdrawn() {
    var mirror = SlowMirror()
    #expect(mirror.handle(.selected(1, names: ["UTF8_STRING", "x-kde-passwordManagerHint"])) == [.withdraw])
    // Not even what was being read.
    _ = mirror.handle(.selected(2, names: ["UTF8_STRING"]))
    #expect(mirror.handle(.selected(3, names: ["x-kde-passwordManagerHint", "UTF8_STRING"])) == [.withdraw])
    #expect(mirror.handle(.measured(2, .new(size: 5))) == [])
  }

  @Test func whatPutsASecretBackWithoutItsMarkIsNotOffered() {
    let start = ContinuousClock.now
    let secret = ["UTF8_STRING", "x-kde-passwordManagerHint"]
    let time = SecretSequence.secretEchoTime / .seconds(1)
    // What happened before, and when a text is selected after it; whether that is offered.
    let cases: [([(Double, Mirror.Event)], Double, Bool)] = [
      // Mutter, Klipper and others, when its program ends.
      ([(0, .selected(1, names: secret)), (60, .unselected)], 60.1, false),
      ([(0, .selected(1, names: secret)), (60, .unselected)], 60 + time, true),
      // Parcellite and others, at once; a person, later.
      ([(0, .selected(1, names: secret))], time / 2, false),
      ([(0, .selected(1, names: secret))], time, true),
      // What was put back is put back once more, by another manager.
      (
        [
          (0, .selected(1, names: secret)), (60, .unselected), (61, .selected(2, names: ["STRING"])), (99, .unselected),
        ], 100, false
      ),
      // A manager that does not want an empty clipboard.
      ([(0, .selected(1, names: secret)), (10, .selected(2, names: secret))], 11, false),
      ([(0, .selected(1, names: secret)), (60, .unselected), (61, .unselected), (66, .unselected)], 67, true),
      // Its types are too many, or unknown.
      ([(0, .selected(1, names: [])), (60, .unselected)], 61, false),
      // What was selected before the helper came, or came again.
      ([(0, .unselected)], 1, false),
      ([(0, .selected(1, names: secret)), (1, .helperLost), (60, .unselected)], 61, false),
      ([(0, .selected(1, names: ["STRING"])), (60, .unselected)], 61, true),
      // A manager that keeps text puts back an older one: the secret before a picture, before what was there too
      // briefly, and before an empty text with which its program removes it.
      ([(0, .selected(1, names: secret)), (60, .selected(2, names: ["image/png"])), (90, .unselected)], 91, false),
      (
        [(0, .selected(1, names: secret)), (60, .selected(2, names: ["image/png"])), (90, .unselected)], 90 + time, true
      ),
      ([(0, .selected(1, names: secret)), (60, .selected(2, names: ["STRING"])), (61, .unselected)], 62, false),
      // It has another text by then.
      (
        [
          (0, .selected(1, names: secret)), (10, .selected(2, names: ["STRING"])),
          (20, .selected(3, names: ["image/png"])), (30, .unselected),
        ], 31, true
      ),
      // What such a manager keeps is plain text.
      (
        [(0, .selected(1, names: secret)), (60, .selected(2, names: ["text/html", "image/png"])), (90, .unselected)],
        91, false
      ),
      (
        [
          (0, .selected(1, names: secret)), (10, .selected(2, names: ["STRING"])),
          (10, .measured(2, .empty)),
        ], 11, false
      ),
    ]
    for (index, (before, date, isOffered)) in cases.enumerated() {
      var mirror = Mirror()
      for (date, event) in before { _ = mirror.handle(event, at: start + .seconds(date)) }
      let effects = mirror.handle(.selected(9, names: ["UTF8_STRING"]), at: start + .seconds(date))
      #expect((effects == [.withdraw]) != isOffered, "case \(index)")
    }
  }

  @Test(arguments: ["application/x-baton-put-back", "application/x-kde-onlyReplaceEmpty"])
  func whatAManagerTakesOverFromASecretIsNotOffered(_ putBack: String) {
    let start = ContinuousClock.now
    for (names, isOffered) in [(["UTF8_STRING", "x-kde-passwordManagerHint"], false), (["UTF8_STRING"], true)] {
      var mirror = Mirror()
      _ = mirror.handle(.selected(1, names: names), at: start)
      let effects = mirror.handle(.selected(2, names: ["UTF8_STRING", putBack]), at: start + .seconds(60))
      #expect(effects == [isOffered ? .measure(2, question(isPutBack: true)) : .withdraw])
    }
    #expect(SelectionTypes.offered([putBack, "text/plain"]).map(\.name) == ["text/plain"])
  }

  /// A secret that its program gives to a manager only when something else is selected.
  @Test(arguments: ["application/x-baton-put-back", "application/x-kde-onlyReplaceEmpty"])
  func whatAManagerMayHaveGotLateIsNotOffered(_ putBack: String) {
    let start = ContinuousClock.now
    let late = SecretSequence.lateSecretTime / .seconds(1)
    let secret = ["UTF8_STRING", "x-kde-passwordManagerHint"]
    for (names, date, isOffered) in [(secret, 60, false), (secret, late, true), (["UTF8_STRING"], 60, true)] {
      var mirror = Mirror()
      _ = mirror.handle(.selected(1, names: names), at: start)
      // What a person copies then is no secret. It is read after a secret, and offered.
      var effects = mirror.handle(.selected(2, names: ["UTF8_STRING"]), at: start + .seconds(10))
      effects += mirror.handle(.measured(2, .new(size: 5)), at: start + .seconds(10))
      #expect(effects.last == publication(2, size: names == secret ? 5 : nil).last)
      _ = mirror.handle(.unselected, at: start + .seconds(date))
      effects = mirror.handle(.selected(3, names: ["UTF8_STRING", putBack]), at: start + .seconds(date))
      #expect(effects == [isOffered ? .measure(3, question(isPutBack: true)) : .withdraw])
    }
  }

  @Test func aSecretIsNotReplacedByWhatWasOfferedBefore() {
    var mirror = mirroring()
    #expect(mirror.handle(.selected(1, names: ["x-kde-passwordManagerHint"])) == [.withdraw])
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [])
    #expect(mirror.handle(.offersChanged([second, first], newer: 2)) == [.describe(second, isCompared: false)])
  }

  @Test func whatIsTooLongOrHasNoTypesWithdrawsTheEarlierOne() {
    var mirror = SlowMirror()
    #expect(mirror.handle(.selected(1, names: ["TARGETS"])) == [.withdraw])
    _ = mirror.handle(.selected(2, names: ["UTF8_STRING"], sinceRead: .zero))
    #expect(mirror.handle(.measured(2, .unknown)) == [.withdraw])
  }

  @Test func whatWasMirroredIsNeverOfferedBack() {
    var mirror = mirroring()
    _ = mirror.handle(.selected(1, names: ["UTF8_STRING"], sinceRead: .zero))
    #expect(mirror.handle(.measured(1, .known)) == [])
  }

  @Test func theSelectionIsDroppedWithTheOffer() {
    var mirror = mirroring()
    #expect(mirror.handle(.offersChanged([], newer: 0)).count == 1)
    #expect(mirror.handle(.offersChanged([], newer: 0)) == [.drop])
    #expect(mirror.handle(.offersChanged([], newer: 0)) == [])
  }

  @Test func betweenOneOfferAndTheNextSomethingIsMirrored() {
    let start = ContinuousClock.now
    var mirror = Mirror()
    _ = mirror.handle(.offersChanged([first], newer: 1), at: start)
    _ = mirror.handle(.described(first, info), at: start)
    let gap = start + .milliseconds(100)
    #expect(mirror.handle(.offersChanged([], newer: 0), at: gap) == [.wake(at: gap + Limits.selectionGap)])
    let next = start + .milliseconds(500)
    #expect(mirror.handle(.offersChanged([second], newer: 1), at: next) == [.describe(second, isCompared: false)])
    #expect(mirror.handle(.wake, at: start + .seconds(3)) == [])
    #expect(
      mirror.handle(.described(second, info), at: start + .seconds(4)) == [.withdrawSelection, .take(second, info)]
    )
    // One that cannot be had ends it.
    _ = mirror.handle(.offersChanged([first], newer: 1), at: start + .seconds(5))
    let gone = start + .seconds(6)
    #expect(mirror.handle(.described(first, nil), at: gone) == [.wake(at: gone + Limits.selectionGap)])
    #expect(mirror.handle(.wake, at: gone + Limits.selectionGap) == [.drop])
  }

  @Test func whatWaitsForItsPaceKeepsTheOneBefore() {
    let start = ContinuousClock.now
    var (mirror, last) = (Mirror(), first)
    for number in 0..<30 {
      last = key(number)
      let now = start + .milliseconds(100 * number)
      for effect in mirror.handle(.offersChanged([last], newer: 1), at: now) {
        #expect(effect != .drop)
        if case .describe(let key, _) = effect { _ = mirror.handle(.described(key, info), at: now) }
      }
    }
    #expect(mirror.mirrored != last)
    #expect(mirror.handle(.wake, at: start + .seconds(10)) == [.describe(last, isCompared: false)])
  }

  @Test func aNewerOfferTakesThePlaceOfTheEarlierOne() {
    var mirror = mirroring()
    #expect(mirror.handle(.offersChanged([second, first], newer: 2)) == [.describe(second, isCompared: false)])
    #expect(mirror.mirrored == first)
    #expect(mirror.handle(.described(second, info)) == [.withdrawSelection, .take(second, info)])
    // If the newer one goes, the earlier one is there again.
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [.describe(first, isCompared: false)])
  }

  @Test func whatMustNotBeMirroredIsPassedOver() {
    var mirror = SlowMirror()
    _ = mirror.handle(.offersChanged([second, first], newer: 2))
    #expect(mirror.handle(.described(second, nil)) == [.describe(first, isCompared: false)])
    #expect(mirror.handle(.described(first, nil)) == [])
  }

  @Test func whatIsOlderThanAnOwnCopyIsNotMirroredAfterIt() {
    var mirror = mirroring()
    _ = mirror.handle(.offersChanged([first], newer: 0))
    #expect(mirror.handle(.offersChanged([first], newer: 0)) == [.drop])
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [])
  }

  @Test func aLateDescriptionIsIgnored() {
    var mirror = SlowMirror()
    _ = mirror.handle(.offersChanged([first], newer: 1))
    _ = mirror.handle(.selected(1, names: ["UTF8_STRING"]))
    #expect(mirror.handle(.described(first, info)) == [])
  }

  @Test func aNewHelperIsGivenTheOfferAgain() {
    var mirror = mirroring()
    #expect(mirror.handle(.helperLost) == [.withdrawSelection])
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [.describe(first, isCompared: false)])
  }

  // MARK: Pace

  private func key(_ number: Int, of device: UInt8 = 1) -> CopyTable.Key {
    CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: device, count: 32))!)
  }

  /// A machine copies 190 times a second for a minute.
  private func flood(_ mirror: inout Mirror, from start: ContinuousClock.Instant) -> (taken: Int, last: CopyTable.Key?)
  {
    var (taken, last): (Int, CopyTable.Key?) = (0, nil)
    for number in 0..<190 * 60 {
      let (now, copy) = (start + .milliseconds(number * 1000 / 190), key(number))
      for effect in mirror.handle(.offersChanged([copy], newer: 1), at: now) {
        guard case .describe(let described, _) = effect else { continue }
        taken += 1
        last = described
        _ = mirror.handle(.described(described, info), at: now)
      }
    }
    return (taken, last)
  }

  @Test func aMachineReplacesTheSelectionAsOftenAsPeopleCopy() {
    var mirror = Mirror()
    let taken = flood(&mirror, from: .now).taken
    #expect((30...41).contains(taken))
  }

  @Test func whatWasCopiedHereStays() {
    var mirror = Mirror()
    let start = ContinuousClock.now
    for second in 0..<60 {
      let now = start + .seconds(second)
      _ = mirror.handle(.selected(second, names: ["image/png"]), at: now)
      #expect(
        mirror.handle(.offersChanged([key(second)], newer: 1), at: now).allSatisfy {
          $0 == .wake(at: now + .seconds(2))
        }
      )
    }
    // Nothing was copied here for two seconds, so another machine's turn comes, but not each time.
    var replaced = 0
    for number in 0..<20 {
      var now = start + .seconds(100 + 3 * number)
      _ = mirror.handle(.selected(100 + number, names: ["image/png"]), at: now)
      now += .seconds(2.5)
      if !mirror.handle(.offersChanged([key(number)], newer: 1), at: now).filter(Self.isDescription).isEmpty {
        replaced += 1
      }
    }
    #expect((4...10).contains(replaced))
  }

  private static func isDescription(_ effect: Mirror.Effect) -> Bool {
    if case .describe = effect { true } else { false }
  }

  @Test func whatCameTooSoonIsMirroredLaterAndTheNewestOfIt() {
    var mirror = Mirror()
    let now = ContinuousClock.now
    _ = mirror.handle(.selected(1, names: ["image/png"]), at: now)
    #expect(mirror.handle(.offersChanged([first], newer: 1), at: now) == [.wake(at: now + .seconds(2))])
    #expect(mirror.handle(.offersChanged([second, first], newer: 2), at: now) == [.wake(at: now + .seconds(2))])
    #expect(mirror.handle(.wake, at: now + .seconds(2)) == [.describe(second, isCompared: true)])
  }

  @Test func aMachineThatCopiesTooOftenHoldsUpNoOther() {
    var mirror = Mirror()
    let start = ContinuousClock.now
    _ = flood(&mirror, from: start)
    let other = key(0, of: 2)
    #expect(
      mirror.handle(.offersChanged([key(1), other], newer: 2), at: start + .milliseconds(59_996)).contains(
        .describe(other, isCompared: false)
      )
    )
  }
}
