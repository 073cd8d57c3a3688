import Activity
import Testing

@testable import Clipboard

struct MirrorTests {
  private static let start = ContinuousClock.now
  private let first = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 1, count: 32))!)
  private let second = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 2, count: 32))!)
  private let info = CopyInfo([.text], size: 5, copied: nil)

  private func handle(_ mirror: inout Mirror, _ event: Mirror.Event) -> [Mirror.Effect] {
    mirror.handle(event, at: Self.start)
  }

  private func mirroring() -> Mirror {
    var mirror = Mirror()
    #expect(handle(&mirror, .offersChanged([first], newer: 1)) == [.describe(first)])
    #expect(handle(&mirror, .described(first, info)) == [.withdrawSelection, .take(first, info)])
    return mirror
  }

  @Test func textIsMeasuredBeforeItIsOffered() {
    var mirror = Mirror()
    #expect(handle(&mirror, .selected(1, names: ["TARGETS", "UTF8_STRING"])) == [.measure(1, name: "UTF8_STRING")])
    #expect(
      handle(&mirror, .measured(1, size: 5, isMirrored: false))
        == [.publish(1, [.text], names: [.text: "UTF8_STRING"], size: 5)]
    )
  }

  @Test func otherTypesAreOfferedWithoutBeingRead() throws {
    var mirror = Mirror()
    let png = try #require(MediaType("image/png"))
    #expect(
      handle(&mirror, .selected(1, names: ["image/png"])) == [.publish(1, [png], names: [png: "image/png"], size: nil)]
    )
  }

  @Test func whatMayBeWhatWasMirroredIsReadWhateverItsType() throws {
    var mirror = Mirror()
    let png = try #require(MediaType("image/png"))
    let selected = Mirror.Event.selected(1, names: ["image/png"], mayBeMirrored: true)
    #expect(handle(&mirror, selected) == [.measure(1, name: "image/png")])
    #expect(handle(&mirror, .measured(1, size: 5, isMirrored: true)) == [])
    #expect(handle(&mirror, selected) == [.measure(1, name: "image/png")])
    #expect(
      handle(&mirror, .measured(1, size: 5, isMirrored: false))
        == [.publish(1, [png], names: [png: "image/png"], size: 5)]
    )
  }

  @Test func nothingIsReadOfSecretsAndWhatWasOfferedIsWithdrawn() {
    var mirror = Mirror()
    #expect(handle(&mirror, .selected(1, names: ["UTF8_STRING", "x-kde-passwordManagerHint"])) == [.withdraw])
    // Not even what was being read.
    _ = mirror.handle(.selected(2, names: ["UTF8_STRING"]), at: Self.start + .seconds(10))
    #expect(
      mirror.handle(.selected(3, names: ["x-kde-passwordManagerHint", "UTF8_STRING"]), at: Self.start + .seconds(10))
        == [.withdraw]
    )
    #expect(handle(&mirror, .measured(2, size: 5, isMirrored: false)) == [])
  }

  @Test func whatPutsASecretBackWithoutItsMarkIsNotOffered() {
    let secret = ["UTF8_STRING", "x-kde-passwordManagerHint"]
    let time = Limits.secretEchoTime / .seconds(1)
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
    ]
    for (index, (before, date, isOffered)) in cases.enumerated() {
      var mirror = Mirror()
      for (date, event) in before { _ = mirror.handle(event, at: Self.start + .seconds(date)) }
      let effects = mirror.handle(.selected(9, names: ["UTF8_STRING"]), at: Self.start + .seconds(date))
      #expect(effects == [isOffered ? .measure(9, name: "UTF8_STRING") : .withdraw], "case \(index)")
    }
  }

  @Test func aSecretIsNotReplacedByWhatWasOfferedBefore() {
    var mirror = mirroring()
    #expect(handle(&mirror, .selected(1, names: ["x-kde-passwordManagerHint"])) == [.withdraw])
    #expect(handle(&mirror, .offersChanged([first], newer: 1)) == [])
    #expect(handle(&mirror, .offersChanged([second, first], newer: 2)) == [.describe(second)])
  }

  @Test func whatIsTooLongOrHasNoTypesWithdrawsTheEarlierOne() {
    var mirror = Mirror()
    #expect(handle(&mirror, .selected(1, names: ["TARGETS"])) == [.withdraw])
    _ = handle(&mirror, .selected(2, names: ["UTF8_STRING"]))
    #expect(handle(&mirror, .measured(2, size: nil, isMirrored: false)) == [.withdraw])
  }

  @Test func whatWasMirroredIsNeverOfferedBack() {
    var mirror = mirroring()
    _ = handle(&mirror, .selected(1, names: ["UTF8_STRING"]))
    #expect(handle(&mirror, .measured(1, size: 5, isMirrored: true)) == [])
  }

  @Test func theSelectionIsDroppedWithTheOffer() {
    var mirror = mirroring()
    #expect(handle(&mirror, .offersChanged([], newer: 0)) == [.drop])
    #expect(handle(&mirror, .offersChanged([], newer: 0)) == [])
  }

  @Test func aNewerOfferTakesThePlaceOfTheEarlierOne() {
    var mirror = mirroring()
    #expect(handle(&mirror, .offersChanged([second, first], newer: 2)) == [.describe(second)])
    #expect(mirror.mirrored == first)
    #expect(handle(&mirror, .described(second, info)) == [.withdrawSelection, .take(second, info)])
    // If the newer one goes, the earlier one is there again.
    #expect(handle(&mirror, .offersChanged([first], newer: 1)) == [.describe(first)])
  }

  @Test func whatMustNotBeMirroredIsPassedOver() {
    var mirror = Mirror()
    _ = handle(&mirror, .offersChanged([second, first], newer: 2))
    #expect(handle(&mirror, .described(second, nil)) == [.describe(first)])
    #expect(handle(&mirror, .described(first, nil)) == [])
  }

  @Test func whatIsOlderThanAnOwnCopyIsNotMirroredAfterIt() {
    var mirror = mirroring()
    #expect(handle(&mirror, .offersChanged([first], newer: 0)) == [.drop])
    #expect(handle(&mirror, .offersChanged([first], newer: 1)) == [])
  }

  @Test func aLateDescriptionIsIgnored() {
    var mirror = Mirror()
    _ = handle(&mirror, .offersChanged([first], newer: 1))
    _ = handle(&mirror, .selected(1, names: ["UTF8_STRING"]))
    #expect(handle(&mirror, .described(first, info)) == [])
  }

  @Test func aNewHelperIsGivenTheOfferAgain() {
    var mirror = mirroring()
    #expect(handle(&mirror, .helperLost) == [.withdrawSelection])
    #expect(handle(&mirror, .offersChanged([first], newer: 1)) == [.describe(first)])
  }
}
