// SPDX-License-Identifier: Apache-2.0

import Activity

/// Reads what the clipboard's helper says.
package struct HelperDecoder: Sendable {
  /// What it says makes no sense.
  package struct Malformed: Error, Equatable {}

  /// Enough for all names of a selection, with each byte encoded.
  private static let lineLength = Limits.selectionNames * (3 * Limits.mediaTypeLength + 1) + 64

  private var line: [UInt8] = []
  private var content: (request: Int, missing: Int, bytes: [UInt8])?

  package init() {}

  package mutating func receive(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> [HelperEvent] {
    var (events, rest): ([HelperEvent], ArraySlice<UInt8>) = ([], bytes)
    while !rest.isEmpty || content?.missing == 0 {
      if var content {
        // Otherwise, each part would copy all before it.
        self.content = nil
        let part = rest.prefix(content.missing)
        content.bytes += part
        // Checked: a part has at most what is missing.
        content.missing -= part.count
        rest = rest.dropFirst(part.count)
        if content.missing > 0 {
          self.content = content
        } else {
          events.append(.content(request: content.request, content.bytes))
        }
      } else {
        let end = rest.firstIndex(of: 0x0A)
        line += rest[..<(end ?? rest.endIndex)]
        guard line.count <= Self.lineLength else { throw Malformed() }
        rest = end.map { rest[$0...].dropFirst() } ?? []
        guard end != nil else { continue }
        if let event = try read(String(decoding: line, as: UTF8.self)) { events.append(event) }
        line = []
      }
    }
    return events
  }

  private mutating func read(_ line: String) throws(Malformed) -> HelperEvent? {
    var words = line.split(atScalar: " ")[...]
    let word = words.popFirst()
    if word == "ready" { return .ready }
    if word == "unavailable" { return .unavailable }
    guard let number = words.popFirst().flatMap({ Int($0) }), number >= 0 else { throw Malformed() }
    switch word {
    case "selection": return .selected(number, names: words.prefix(Limits.selectionNames).map(Self.decode))
    case "none": return .unselected(number)
    case "want":
      guard let name = words.popFirst() else { throw Malformed() }
      return .wanted(request: number, name: Self.decode(name))
    case "failed": return .content(request: number, nil)
    case "content":
      guard let size = words.popFirst().flatMap({ Int($0) }), (0...Limits.clipboardLength).contains(size) else {
        throw Malformed()
      }
      content = (number, size, [])
      return nil
    default: throw Malformed()
    }
  }

  private static func decode(_ name: Substring) -> String {
    String(decoding: PercentEncoding.decode(name) ?? [], as: UTF8.self)
  }
}
