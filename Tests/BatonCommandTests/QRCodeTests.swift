// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import BatonCommand

struct QRCodeTests {
  @Test func twoModulesAreOneCharacter() {
    let lines = QRCode.drawing([[true, false, true], [false, false, true], [true, true, false]])
      .split(separator: "\n").map { $0.dropFirst("    \u{1B}[97;40m".count).dropLast("\u{1B}[0m".count) }
    // Four light modules on each side, and one more line for the odd height.
    #expect(
      lines.map(String.init) == [
        "███████████", "███████████",
        "████▄█ ████",
        "████▄▄█████",
        "███████████", "███████████",
      ]
    )
  }
}
