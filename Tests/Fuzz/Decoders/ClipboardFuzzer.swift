// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Desktop
import JSONCoding

/// What another machine has copied, what it asks for, and what the helper of the desktop's clipboard says.
enum ClipboardFuzzer: Fuzzer {
  static let seeds = [
    #"{"types":["text/plain;charset=utf-8","image/png"],"size":5,"copied":{"$date":819000000.5},"earlier":[]}"#,
    #"{"get":"clipboard","type":"text/html"}"#,
    "ready x11\nselection 1 UTF8_STRING a%20b%25\nnone 2\nwant 3 image/png\ncontent 4 5\n12\n45failed 6\n",
  ].map { Array($0.utf8) }

  static let words = [
    "\"earlier\":[\"0b9e7f6a-1c2d-4e3f-8a9b-0c1d2e3f4a5b\"]", "x-kde-passwordManagerHint", ";charset=", "text/uri-list",
    "\ncontent 1 0\n", "selection 9223372036854775807 ", "%00", "STRING", "UTF8_STRING",
  ]

  static let length = 4096

  static func run(_ input: [UInt8]) throws {
    if let json = try? JSON(parsing: input, depth: 8), let info = CopyInfo(json: json) {
      hold((1...Limits.clipboardTypes).contains(info.types.count), "\(info.types)")
      hold((info.earlier ?? []).count <= CopyInfo.earlierCopies, "\(info)")
      same(CopyInfo(json: info.json)?.types, info.types)
      for (name, type) in SelectionTypes.names(of: info.types) {
        hold(info.types.contains(type), name)
        hold(!SecretHint.isSecret([name]), name)
      }
    }
    if let request = ClipboardRequest(line: input) { same(ClipboardRequest(line: request.line.dropLast()), request) }
    var choices = Choices(input)
    let text = choices.remaining()
    let whole = events([text[...]])
    var pieces = Choices(input.reversed())
    same(events(pieces.pieces(of: text)), whole)
    for case .selected(_, let names) in whole ?? [] {
      let offered = SelectionTypes.offered(names)
      hold(offered.count <= Limits.clipboardTypes && offered.allSatisfy { names.contains($0.name) }, "\(names)")
    }
  }

  /// Nil if it makes no sense.
  private static func events(_ pieces: [ArraySlice<UInt8>]) -> [HelperEvent]? {
    var decoder = HelperDecoder()
    return try? pieces.flatMap { try decoder.receive($0) }
  }
}
