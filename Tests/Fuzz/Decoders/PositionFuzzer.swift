// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import JSONCoding

/// The place in a text that another machine sent, and what an editor says.
enum PositionFuzzer: Fuzzer {
  static let seeds = [
    #"{"document":{"path":"/a"},"line":3,"column":2,"topLine":1,"language":"swift","org.vim.view":{"topline":1}}"#,
    #"{"line":1,"isModified":true,"org.gnu.emacs.bookmark":"((handler . dired))"}"#,
    #"{"type":"current","path":"/a","line":3,"column":2,"isModified":true,"view":{"org.vim.view":{"col":1}}}"#,
    #"{"type":"saved","request":"1","file":"/f"}"#, #"{"type":"list","request":"1"}"#,
  ].map { Array($0.utf8) }

  static let words = [
    "\"line\":", "2147483647", "2147483648", "-1", "\"view\":{", "\"org.vim.view\":{", "{\"$url\":\"", "..",
    "\"path\":\"/",
  ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    if case .current(let position) = EditorMessage(line: input) {
      hold(position.activityTitle.utf8.count <= Limits.titleLength, "The title is too long")
      hold(!VisibleText.hasControls(position.activityTitle), position.activityTitle)
      check(position.textPosition(document: nil))
    }
    if let json = try? JSON(parsing: input, depth: Limits.userInfoDepth) { check(TextPosition(userInfo: json)) }
  }

  private static func check(_ position: TextPosition) {
    for number in [position.line, position.column, position.topLine].compactMap(\.self) {
      hold((1...TextPosition.highest).contains(number), "\(number)")
    }
    hold(position.language?.unicodeScalars.contains("/") != true, position.language ?? "")
    var read = TextPosition(userInfo: position.userInfo)
    // It is left out if it is too long.
    if read.view.isEmpty { read.view = position.view }
    same(read, position)
  }
}
