import Activity
import Testing

@testable import Clipboard

struct MirrorTests {
  private let first = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 1, count: 32))!)
  private let second = CopyTable.Key(activity: .random(), deviceID: DeviceID(bytes: Array(repeating: 2, count: 32))!)
  private let info = CopyInfo([.text], size: 5, copied: nil)

  private func mirroring() -> Mirror {
    var mirror = Mirror()
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [.describe(first)])
    #expect(mirror.handle(.described(first, info)) == [.withdrawSelection, .take(first, info)])
    return mirror
  }

  @Test func textIsMeasuredBeforeItIsOffered() {
    var mirror = Mirror()
    #expect(mirror.handle(.selected(1, names: ["TARGETS", "UTF8_STRING"])) == [.measure(1, name: "UTF8_STRING")])
    #expect(
      mirror.handle(.measured(1, size: 5, isMirrored: false))
        == [.publish(1, [.text], names: [.text: "UTF8_STRING"], size: 5)]
    )
  }

  @Test func otherTypesAreOfferedWithoutBeingRead() throws {
    var mirror = Mirror()
    let png = try #require(MediaType("image/png"))
    #expect(
      mirror.handle(.selected(1, names: ["image/png"])) == [.publish(1, [png], names: [png: "image/png"], size: nil)]
    )
  }

  @Test func whatMayBeWhatWasMirroredIsReadWhateverItsType() throws {
    var mirror = Mirror()
    let png = try #require(MediaType("image/png"))
    let selected = Mirror.Event.selected(1, names: ["image/png"], mayBeMirrored: true)
    #expect(mirror.handle(selected) == [.measure(1, name: "image/png")])
    #expect(mirror.handle(.measured(1, size: 5, isMirrored: true)) == [])
    #expect(mirror.handle(selected) == [.measure(1, name: "image/png")])
    #expect(
      mirror.handle(.measured(1, size: 5, isMirrored: false))
        == [.publish(1, [png], names: [png: "image/png"], size: 5)]
    )
  }

  @Test func nothingIsReadOfSecretsAndWhatWasOfferedIsWithdrawn() {
    var mirror = Mirror()
    #expect(mirror.handle(.selected(1, names: ["UTF8_STRING", "x-kde-passwordManagerHint"])) == [.withdraw])
    // Not even what was being read.
    _ = mirror.handle(.selected(2, names: ["UTF8_STRING"]))
    #expect(mirror.handle(.selected(3, names: ["x-kde-passwordManagerHint", "UTF8_STRING"])) == [.withdraw])
    #expect(mirror.handle(.measured(2, size: 5, isMirrored: false)) == [])
  }

  @Test func aSecretIsNotReplacedByWhatWasOfferedBefore() {
    var mirror = mirroring()
    #expect(mirror.handle(.selected(1, names: ["x-kde-passwordManagerHint"])) == [.withdraw])
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [])
    #expect(mirror.handle(.offersChanged([second, first], newer: 2)) == [.describe(second)])
  }

  @Test func whatIsTooLongOrHasNoTypesWithdrawsTheEarlierOne() {
    var mirror = Mirror()
    #expect(mirror.handle(.selected(1, names: ["TARGETS"])) == [.withdraw])
    _ = mirror.handle(.selected(2, names: ["UTF8_STRING"]))
    #expect(mirror.handle(.measured(2, size: nil, isMirrored: false)) == [.withdraw])
  }

  @Test func whatWasMirroredIsNeverOfferedBack() {
    var mirror = mirroring()
    _ = mirror.handle(.selected(1, names: ["UTF8_STRING"]))
    #expect(mirror.handle(.measured(1, size: 5, isMirrored: true)) == [])
  }

  @Test func theSelectionIsDroppedWithTheOffer() {
    var mirror = mirroring()
    #expect(mirror.handle(.offersChanged([], newer: 0)) == [.drop])
    #expect(mirror.handle(.offersChanged([], newer: 0)) == [])
  }

  @Test func aNewerOfferTakesThePlaceOfTheEarlierOne() {
    var mirror = mirroring()
    #expect(mirror.handle(.offersChanged([second, first], newer: 2)) == [.describe(second)])
    #expect(mirror.mirrored == first)
    #expect(mirror.handle(.described(second, info)) == [.withdrawSelection, .take(second, info)])
    // If the newer one goes, the earlier one is there again.
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [.describe(first)])
  }

  @Test func whatMustNotBeMirroredIsPassedOver() {
    var mirror = Mirror()
    _ = mirror.handle(.offersChanged([second, first], newer: 2))
    #expect(mirror.handle(.described(second, nil)) == [.describe(first)])
    #expect(mirror.handle(.described(first, nil)) == [])
  }

  @Test func whatIsOlderThanAnOwnCopyIsNotMirroredAfterIt() {
    var mirror = mirroring()
    #expect(mirror.handle(.offersChanged([first], newer: 0)) == [.drop])
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [])
  }

  @Test func aLateDescriptionIsIgnored() {
    var mirror = Mirror()
    _ = mirror.handle(.offersChanged([first], newer: 1))
    _ = mirror.handle(.selected(1, names: ["UTF8_STRING"]))
    #expect(mirror.handle(.described(first, info)) == [])
  }

  @Test func aNewHelperIsGivenTheOfferAgain() {
    var mirror = mirroring()
    #expect(mirror.handle(.helperLost) == [.withdrawSelection])
    #expect(mirror.handle(.offersChanged([first], newer: 1)) == [.describe(first)])
  }
}
