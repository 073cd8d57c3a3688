// SPDX-License-Identifier: Apache-2.0

import Hosts
import Testing

struct HandoffFolderTests {
  /// To `String`, the slash and the mark after it are one character, which is no slash.
  @Test(arguments: ["notes.txt", "\u{301}evil.txt", "\u{200D}evil.txt", "\u{FE0F}.org", "\u{20E3}x", "\u{D4E}x"])
  func whatWasFetchedIsKnown(name: String) {
    #expect(HandoffFolder("/home/ada/Handoff").contains("/home/ada/Handoff/\(name)"))
    #expect(HandoffFolder("/home/ada\u{D4E}/Handoff/").contains("/home/ada\u{D4E}/Handoff/\(name)"))
  }

  @Test(arguments: ["/home/ada/Handoff2/x", "/home/ada/x", "/home/ada", "/home/ada/Handoff\u{301}/x", "/"])
  func otherFilesAreNotInIt(path: String) {
    #expect(!HandoffFolder("/home/ada/Handoff").contains(path))
  }
}
