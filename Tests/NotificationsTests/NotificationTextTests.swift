import Activity
import Testing

@testable import Notifications

/// What people read.
struct NotificationTextTests {
  private let all: Set<String> = ["actions", "body", "body-markup"]

  private func text(_ notice: OfferNotice, _ capabilities: Set<String>, failure: String? = nil) -> NotificationText {
    NotificationText(NotificationContent(notice, failure: failure), capabilities: capabilities)
  }

  @Test func titleAppAndDevice() {
    let text = text(Machine.offer(1, "Shopping"), all)
    #expect(text.summary == "Shopping")
    #expect(text.body == "Notes, from laptop")
    #expect(text.actions.map(\.key) == ["default", "continue"])
    #expect(Set(text.actions.map(\.label)) == ["Continue"])
  }

  @Test func withoutATitleTheAppAndWithoutAnAppTheDevice() {
    var notice = Machine.offer(1)
    notice.title = nil
    #expect(text(notice, all).summary == "Notes")
    #expect(text(notice, all).body == "From laptop")
    notice.application = nil
    #expect(text(notice, all).summary == "An activity")
    notice.title = ""
    #expect(text(notice, all).summary == "An activity")
  }

  @Test func markupIsEscapedWhereThereIsMarkup() {
    var notice = Machine.offer(1, "<b>1 & 2</b>")
    notice.device = "<i>&amp;</i>"
    #expect(text(notice, all).summary == "<b>1 & 2</b>")
    #expect(text(notice, all).body == "Notes, from &lt;i&gt;&amp;amp;&lt;/i&gt;")
    #expect(text(notice, ["body"]).body == "Notes, from <i>&amp;</i>")
    // What joins them makes other characters of them for people, and not for who reads markup.
    notice.device = "<\u{338}b>\u{301}&\u{200D}lt;"
    let escaped = "Notes, from &lt;\u{338}b&gt;\u{301}&amp;\u{200D}lt;"
    #expect(text(notice, all).body.utf8.elementsEqual(escaped.utf8))
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
    // As pages have it: a soft hyphen, a zero-width space, marks of direction, tabs and lines.
    let title = "\tDonau\u{AD}dampf\u{200B}schiff\u{FEFF} \u{200E}\n\r\n fährt\u{200F}\n"
    #expect(text(Machine.offer(1, title), all).summary == "Donaudampfschiff fährt")
    #expect(text(Machine.offer(1, " \u{200B}\n\u{A0}"), all).summary == "Notes")
  }

  @Test func anIconIsANameOrAURL() {
    var notice = Machine.offer(1)
    #expect(text(notice, all).icon.isEmpty)
    notice.icon = "notes"
    #expect(text(notice, all).icon == "notes")
    notice.icon = "/usr/share/my icons/notes.png"
    #expect(text(notice, all).icon == "file:///usr/share/my%20icons/notes.png")
  }

  @Test func aFailureSaysWhyAndHasNoActions() {
    let text = text(Machine.offer(1, "Shopping"), all, failure: "It is gone.")
    #expect(text.summary == "Shopping")
    #expect(text.body == "Not continued from laptop: It is gone.")
    #expect(text.actions.isEmpty)
  }
}
