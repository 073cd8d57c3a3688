// SPDX-License-Identifier: Apache-2.0

import Desktop
import Testing

@Suite struct LaunchAnnouncementTests {
  private func number(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

  private func text(_ text: String) -> [UInt8] {
    var bytes = number(UInt32(text.utf8.count + 1)) + text.utf8 + [0]
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  private func event(_ object: UInt32, _ code: UInt32, _ content: [UInt8] = []) -> [UInt8] {
    number(object) + number(UInt32(8 + content.count) << 16 | code) + content
  }

  private func global(_ name: UInt32, _ interface: String, _ version: UInt32) -> [UInt8] {
    event(2, 0, number(name) + text(interface) + number(version))
  }

  private let done: [UInt8] = [0, 0, 0, 0]

  @Test func aLaunchIsAnnounced() {
    var launch = LaunchAnnouncement(identifier: "a", time: 7)
    #expect(launch.name == "baton-a_TIME7")
    #expect(launch.beginning == event(1, 1, number(2)) + event(1, 0, number(3)))
    let globals = global(1, "wl_compositor", 5) + global(9, "gtk_shell1", 5) + global(10, "gtk_shell1", 5)
    var reply: [UInt8] = []
    // In pieces.
    for byte in globals + event(3, 0, done) {
      let (more, outcome) = launch.receive([byte])
      #expect(outcome == nil)
      reply += more
    }
    #expect(
      reply == event(2, 0, number(9) + text("gtk_shell1") + number(3) + number(4)) + event(4, 3, text("baton-a_TIME7"))
        + event(1, 0, number(5))
    )
    let (nothing, outcome) = launch.receive(event(4, 0, done) + event(1, 1, done) + event(5, 0, done))
    #expect(nothing.isEmpty && outcome == .announced)
  }

  @Test func otherCompositorsHearNothing() {
    for globals in [[], global(1, "gtk_shell2", 5), global(1, "gtk_shell1", 2), event(2, 0, number(1))] {
      var launch = LaunchAnnouncement(identifier: "a", time: 7)
      let (reply, outcome) = launch.receive(globals + event(3, 0, done))
      #expect(reply.isEmpty && outcome == .impossible)
    }
  }

  @Test func whatCannotBeReadEndsIt() {
    for bytes in [
      event(1, 0, number(4) + number(1) + text("no")), number(2) + number(0), number(2) + number(9 << 16),
      number(2) + number(8192 << 16),
    ] {
      var launch = LaunchAnnouncement(identifier: "a", time: 7)
      #expect(launch.receive(bytes).outcome == .impossible)
    }
  }

  @Test func anAnswerThatComesBeforeTheQuestionCountsForNothing() {
    var launch = LaunchAnnouncement(identifier: "a", time: 7)
    let (reply, outcome) = launch.receive(event(5, 0, done))
    #expect(reply.isEmpty && outcome == nil)
  }
}
