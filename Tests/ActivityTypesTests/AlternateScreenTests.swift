// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ActivityTypes

struct AlternateScreenTests {
  private func isLeft(_ pieces: String...) -> Bool {
    var screen = AlternateScreen()
    for piece in pieces { screen.show(Array(piece.utf8)[...]) }
    return screen.isLeft
  }

  @Test func tmuxLeavesItAtItsEnd() {
    #expect(isLeft("\u{1B}[?1049h\u{1B}[Hwork", "\u{1B}[?1006l\u{1B}[?10", "49", "l[detached]\r\n"))
    // As xterm's terminfo entry says.
    #expect(isLeft("\u{1B}[?1049h", "\u{1B}[?1049l\u{1B}[23;0;0t[detached]\r\n"))
    #expect(isLeft() && isLeft("no other screen"))
  }

  @Test(arguments: [
    "\u{1B}[?1049h", "\u{1B}[?1049l\u{1B}[?1049h", "\u{1B}[?1049", "\u{1B}[?1049l\u{1B}[1m", "\u{1B}[23;0;0t",
  ])
  func whatIsCutOffOrGoesOnHasNotLeftIt(text: String) { #expect(!isLeft(text)) }
}
