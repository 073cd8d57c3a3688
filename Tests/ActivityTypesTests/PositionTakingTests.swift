// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding
import Testing

struct PositionTakingTests {
  private let document: JSON = ["path": "/origin"]

  /// What the last of the events leads to.
  private func effects(_ events: PositionTaking.Event...) -> [PositionTaking.Effect] {
    var machine = PositionTaking()
    return events.map { machine.handle($0) }.last ?? []
  }

  private func continued(isModified: Bool = false, hasStream: Bool = true) -> PositionTaking.Event {
    var position = TextPosition(document: document, line: 4)
    position.isModified = isModified
    return .continued(position, hasStream: hasStream, device: "laptop")
  }

  private func opened(_ effects: [PositionTaking.Effect]) -> EditorReply.Opening? {
    guard effects.count == 1, case .open(let opening) = effects[0] else { return nil }
    return opening
  }

  private let found = PositionTaking.Event.found(.found(path: "/here", how: "at home"))

  @Test func aFileThatIsHereIsOpened() {
    #expect(effects(continued()) == [.find(document, canFetch: true)])
    let opening = opened(effects(continued(), found))
    #expect((opening?.path, opening?.line, opening?.found) == ("/here", 4, "at home"))
    #expect((opening?.text, opening?.isConflict, opening?.isFetched) == (nil, false, false))
  }

  @Test func textWithTheSameBaseIsNoConflict() {
    #expect(effects(continued(isModified: true), found) == [.fetchText])
    let text = PositionTaking.Event.text(file: "/text", base: "aa")
    #expect(effects(continued(isModified: true), found, text) == [.hash(path: "/here")])
    let version = FileTimeAndSize(time: 7, size: 8)
    let opening = opened(effects(continued(isModified: true), found, text, .hashed("aa", version: version)))
    #expect((opening?.text, opening?.isConflict) == ("/text", false))
    // The editor compares again.
    #expect((opening?.fileTime, opening?.fileSize) == (7, 8))
  }

  @Test(arguments: [("aa", "bb"), (nil, "bb"), ("aa", nil), (nil, nil)] as [(String?, String?)])
  func textWithAnotherBaseIsAConflict(_ base: String?, _ hash: String?) {
    let text = PositionTaking.Event.text(file: "/text", base: base)
    #expect(opened(effects(continued(isModified: true), found, text, .hashed(hash)))?.isConflict == true)
  }

  @Test func severalFilesAreAskedAbout() {
    let finding = PositionTaking.Event.found(.ambiguous(paths: ["/a", "/b"], how: "in two clones"))
    #expect(effects(continued(), finding) == [.choose(["/a", "/b"], how: "in two clones")])
    #expect(opened(effects(continued(), finding, .chosen("/b")))?.path == "/b")
    #expect(effects(continued(), finding, .chosen("/etc/passwd")) == [.fail("No file was chosen.")])
    #expect(effects(continued(), finding, .chosen(nil)) == [.fail("No file was chosen.")])
  }

  @Test func aFileThatIsNotHereIsFetched() {
    let fetchable = PositionTaking.Event.found(.fetchable(how: "not here"))
    #expect(effects(continued(), fetchable) == [.fetch(document)])
    let opening = opened(effects(continued(), fetchable, .fetched(path: "/Handoff/x")))
    #expect((opening?.path, opening?.isFetched) == ("/Handoff/x", true))
    #expect(opening?.found == "fetched from laptop to /Handoff/x")
    let other = opened(effects(continued(), fetchable, .fetched(path: "/Handoff/x", isChanged: true)))
    #expect(other?.found == "fetched from laptop to /Handoff/x; it has changed there in the meantime")
  }

  @Test func textWithoutAFileIsOpenedAlone() {
    var position = TextPosition(line: 1)
    position.isModified = true
    let event = PositionTaking.Event.continued(position, hasStream: true, device: "laptop")
    #expect(effects(event) == [.fetchText])
    let opening = opened(effects(event, .text(file: "/text", base: nil)))
    #expect((opening?.path, opening?.text, opening?.isConflict) == (nil, "/text", false))
  }

  @Test func aFileIsShownIfItsTextDoesNotCome() {
    let opening = opened(effects(continued(isModified: true), found, .failed("It broke.")))
    #expect(opening?.path == "/here")
    #expect(opening?.found?.contains("It broke.") == true)
  }

  @Test func textOfAFileThatWasNeverSavedIsOpenedAlone() {
    let fetchable = PositionTaking.Event.found(.fetchable(how: "not here"))
    let missing = PositionTaking.Event.failed("The other machine doesn't have it.")
    #expect(effects(continued(isModified: true), fetchable, missing) == [.fetchText])
    let opening = opened(effects(continued(isModified: true), fetchable, missing, .text(file: "/text", base: nil)))
    #expect((opening?.path, opening?.text) == (nil, "/text"))
    let words = "Couldn't fetch the text from laptop. The other machine doesn't have it."
    #expect(effects(continued(), fetchable, missing) == [.fail(words)])
  }

  @Test func nothingFollowsTheEnd() {
    var machine = PositionTaking()
    _ = machine.handle(.failed("x"))
    #expect(machine.isDone)
    #expect(machine.handle(continued()).isEmpty)
    #expect(machine.handle(found).isEmpty)
  }

  @Test func aPlaceWithoutAnythingFails() {
    let event = PositionTaking.Event.continued(TextPosition(line: 1), hasStream: false, device: "laptop")
    #expect(effects(event) == [.fail("The other machine didn't specify a file.")])
  }
}
