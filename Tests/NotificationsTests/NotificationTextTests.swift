// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

/// The text that users read.
struct NotificationTextTests {
  private let all: Set<String> = ["actions", "body", "body-markup"]
  /// Without actions, so nothing says what a click does.
  private let plain: Set<String> = ["body", "body-markup"]

  private func text(_ notice: OfferNotice, _ capabilities: Set<String>, failure: String? = nil) -> NotificationText {
    NotificationText(NotificationContent(notice, failure: failure), capabilities: capabilities)
  }

  @Test func titleAppAndDevice() {
    let text = text(Machine.offer(1, "Shopping"), all)
    #expect(text.summary == "Shopping")
    #expect(text.body == "Notes, from laptop. Click to continue.")
    #expect(text.actions.map(\.key) == ["default", "continue", "mute"])
    #expect(text.actions.map(\.label) == ["Continue", "Continue", "Mute laptop"])
  }

  @Test func whatIsSentSaysByWhom() {
    var notice = Machine.offer(1, "Shopping")
    notice.isSent = true
    #expect(text(notice, all).summary == "Shopping")
    #expect(text(notice, all).body == "Notes, sent from laptop. Click to continue.")
    #expect(text(notice, all).actions.map(\.label) == ["Continue", "Continue", "Mute laptop"])
    #expect(text(notice, []).summary == "Shopping (Notes, sent from laptop)")
    notice.application = nil
    #expect(text(notice, []).summary == "Shopping (Sent from laptop)")
  }

  @Test func withoutATitleTheAppAndWithoutAnAppTheType() {
    var notice = Machine.offer(1)
    notice.title = nil
    #expect(text(notice, all).summary == "Notes")
    #expect(text(notice, plain).body == "From laptop")
    notice.application = nil
    #expect(text(notice, all).summary == "org.example.note")
    notice.title = ""
    #expect(text(notice, all).summary == "org.example.note")
    #expect(text(notice, plain).body == "From laptop")
  }

  @Test(arguments: [
    " \n\t\u{A0}\u{3000}", "\u{200B}\u{200C}\u{200D}\u{2060}\u{FEFF}", "\u{1B}\u{7}\u{0}", "\u{301}\u{20DD}\u{FE0F}",
    "\u{3164}\u{115F}\u{FFA0}", "\u{2800}\u{2800}", "\u{E000}\u{E0041}", "\u{202E}\u{2066}",
  ])
  func whatNobodySeesIsNoTitleAndNoName(invisible: String) {
    var notice = Machine.offer(1, invisible)
    #expect(text(notice, all).summary == "Notes")
    notice.application = invisible
    notice.device = invisible
    #expect(text(notice, all).summary == "org.example.note")
    #expect(text(notice, plain).body == "From \(Machine.device(0))")
    #expect(text(notice, all).actions.last?.label == "Mute \(Machine.device(0))")
  }

  @Test func aWebPageNamesItsHost() {
    var notice = Machine.offer(1, "Your bank")
    (notice.application, notice.showsPage, notice.pageHost) = (nil, true, "example.org")
    #expect(text(notice, plain).body == "Web page at example.org, from laptop")
    notice.pageHost = "ex\u{430}mple.org"
    #expect(text(notice, plain).body == "Web page at xn--exmple-4nf.org, from laptop")
    notice.pageHost = nil
    #expect(text(notice, plain).body == "Web page, from laptop")
    notice.title = nil
    #expect(text(notice, all).summary == "Web page" && text(notice, plain).body == "From laptop")
  }

  @Test func markupIsEscapedWhereThereIsMarkup() {
    var notice = Machine.offer(1, "<b>1 & 2</b>")
    notice.device = "<i>&amp;</i>"
    #expect(text(notice, all).summary == "<b>1 & 2</b>")
    #expect(text(notice, plain).body == "Notes, from &lt;i&gt;&amp;amp;&lt;/i&gt;")
    #expect(text(notice, ["body"]).body == "Notes, from <i>&amp;</i>")
    // Combining characters make other characters of these for people, but not for a parser of markup.
    notice.device = "<\u{338}b>\u{301}&\u{200D}lt;"
    let escaped = "Notes, from &lt;\u{338}b&gt;\u{301}&amp;\u{200D}lt;"
    #expect(text(notice, plain).body.utf8.elementsEqual(escaped.utf8))
  }

  @Test func aServerGetsWhatItCanShow() {
    let plain = text(Machine.offer(1, "Shopping"), [])
    #expect(plain.summary == "Shopping (Notes, from laptop)")
    #expect(plain.body.isEmpty && plain.actions.isEmpty)
  }

  @Test func nothingLooksLikeSomethingElse() {
    let title = "a\n\u{1B}[2Jb\u{202E}c\u{2028}d 👩\u{200D}💻"
    #expect(text(Machine.offer(1, title), all).summary == "a \u{FFFD}[2Jbc d 👩\u{200D}💻")
  }

  @Test func whatNobodySeesIsLeftOut() {
    // Web pages contain these: a soft hyphen, a zero-width space, direction marks, tabs and newlines.
    let title = "\tDonau\u{AD}dampf\u{200B}schiff\u{FEFF} \u{200E}\n\r\n fährt\u{200F}\n"
    #expect(text(Machine.offer(1, title), all).summary == "Donaudampfschiff fährt")
  }

  @Test func whatItIsDoesNotDependOnWhatOpensIt() {
    var notice = Machine.offer(1, "Solaris")
    (notice.application, notice.what) = (nil, "Music or video")
    #expect(text(notice, plain).body == "Music or video, from laptop")
    notice.application = "mpv"
    #expect(text(notice, plain).body == "Music or video, from laptop")
    (notice.what, notice.showsPage, notice.pageHost) = ("Web page", true, "example.org")
    #expect(text(notice, plain).body == "Web page at example.org, from laptop")
  }

  /// In dunst, it closes the popup.
  @Test func onlyAClickThatContinuesIsNamed() {
    let content = NotificationContent(Machine.offer(1))
    let dunst = ServerHabits(name: "dunst", version: "1.9.0")
    #expect(NotificationText(content, capabilities: all, dunst).body == "Notes, from laptop")
  }

  @Test func aFailureSaysWhyAndCanBeClosed() {
    let text = text(Machine.offer(1, "Shopping"), all, failure: "It is gone.")
    #expect(text.summary == "Shopping")
    #expect(text.body == "Couldn't continue from laptop: It is gone.")
    // Without an action, a click would start the agent in GNOME.
    #expect(text.actions.map(\.key) == ["default"])
  }
}
