// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

struct StartupTextTests {
  private static let hook = #"command -v baton >/dev/null && eval "$(baton shell-init bash)""#

  private func text(_ content: String) -> StartupText { StartupText(Array(content.utf8), hook: Self.hook) }

  private func added(to content: String) -> String {
    content + String(decoding: text(content).addition, as: UTF8.self)
  }

  @Test(arguments: ["", "alias l=ls\n", "alias l=ls", "a\n\n", "\n", "if x; then\n  y\nfi\n", "caf\u{E9}\r\n"])
  func whatIsAddedIsRemovedAgain(content: String) {
    var changed = text(added(to: content))
    #expect(changed.remove() == .removed)
    let isWhole = content.isEmpty || content.utf8.last == UInt8(ascii: "\n")
    #expect(String(decoding: changed.bytes, as: UTF8.self) == (isWhole ? content : content + "\n"))
  }

  @Test func theLinesStandAlone() {
    #expect(added(to: "alias l=ls").hasPrefix("alias l=ls\n\n# Added by"))
    #expect(added(to: "").hasPrefix("# Added by"))
    #expect(added(to: "").hasSuffix("\(Self.hook)\n"))
  }

  @Test func whatFollowsStays() {
    var changed = text(added(to: "before\n") + "after\n")
    #expect(changed.remove() == .removed)
    #expect(String(decoding: changed.bytes, as: UTF8.self) == "before\nafter\n")
  }

  @Test func bothOfTwoAreRemoved() {
    var changed = text(added(to: added(to: "a\n")))
    #expect(changed.remove() == .removed)
    #expect(changed.bytes == Array("a\n".utf8))
  }

  @Test func linesOfPeopleStay() {
    let own = "eval \"$(baton shell-init bash)\"\n"
    var changed = text(own)
    #expect(changed.remove() == .nothing)
    #expect(changed.bytes == Array(own.utf8))
  }

  @Test(arguments: ["\n", "\nsource other\n", ""])
  func aChangedLineIsLeftToItsUser(rest: String) {
    let mark = String(added(to: "").split(separator: "\n")[0])
    var changed = text("a\n\(mark)\(rest)")
    let before = changed.bytes
    #expect(changed.remove() == .changed)
    #expect(changed.bytes == before)
  }

  @Test(arguments: [
    #"command -v baton >/dev/null && eval "$(baton shell-init bash)"; export EDITOR=vi"#,
    #"command -v baton >/dev/null && eval "$(baton shell-init bash)" || {"#, #"eval "$(baton shell-init bash)" \"#,
    #"if true; then eval "$(baton shell-init bash)""#, #"eval "$(baton shell-init bash; id)""#,
  ])
  func aLineWithMoreThanTheHookIsLeftToItsUser(line: String) {
    let mark = String(added(to: "").split(separator: "\n")[0])
    var changed = text("a\n\n\(mark)\n\(line)\n}\n")
    let before = changed.bytes
    #expect(changed.remove() == .changed)
    #expect(changed.bytes == before)
  }

  @Test func otherLineEndsAreLeftToTheUser() {
    var changed = StartupText(
      Array(added(to: "a\n").utf8).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] },
      hook: Self.hook
    )
    let before = changed.bytes
    #expect(changed.remove() == .changed)
    #expect(changed.bytes == before)
  }

  @Test func anOlderHookIsRemoved() {
    let mark = String(added(to: "").split(separator: "\n")[0])
    var changed = text("a\n\n\(mark)\neval \"$(baton shell-init bash --focus)\"\n")
    #expect(changed.remove() == .removed)
    #expect(changed.bytes == Array("a\n".utf8))
  }

  @Test func bytesThatAreNoTextStay() {
    var changed = StartupText([0xFF, 0x0A], hook: Self.hook)
    changed = StartupText(changed.bytes + changed.addition + [0xFE], hook: Self.hook)
    #expect(changed.remove() == .removed)
    #expect(changed.bytes == [0xFF, 0x0A, 0xFE])
  }
}
