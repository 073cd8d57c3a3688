// SPDX-License-Identifier: Apache-2.0

import Activity

/// The text of a shell's startup file, with or without the lines that `baton setup` adds. Everything else stays the
/// same, byte for byte.
struct StartupText: Equatable {
  /// The line that loads the hook. It does nothing where `baton` isn't installed.
  let hook: String
  private(set) var bytes: [UInt8]

  private static let mark = "# Added by `baton setup`. `baton setup --undo` removes it."

  init(_ bytes: [UInt8], hook: String) {
    self.bytes = bytes
    self.hook = hook
  }

  /// What to append, so that the lines stand alone.
  var addition: [UInt8] {
    let newline = UInt8(ascii: "\n")
    let gap: [UInt8] = bytes.isEmpty ? [] : bytes.last == newline ? [newline] : [newline, newline]
    return gap + block
  }

  private var block: [UInt8] { Array("\(Self.mark)\n\(hook)\n".utf8) }

  enum Removal: Equatable {
    /// `baton setup` has added nothing.
    case nothing
    case removed
    /// The lines are no longer as they were added, so a person has to remove them.
    case changed
  }

  /// Takes the lines out again, with the empty line before them, wherever they are now.
  mutating func remove() -> Removal {
    let newline = UInt8(ascii: "\n")
    var result = Removal.nothing
    var position = bytes.startIndex
    while let start = find(Array("\(Self.mark)\n".utf8), from: position) {
      let second = start + Self.mark.utf8.count + 1
      let end = bytes[second...].firstIndex(of: newline).map { $0 + 1 } ?? bytes.endIndex
      guard isHook(bytes[second..<end]) else {
        result = .changed
        position = second
        continue
      }
      let hasGap = start >= 2 && bytes[(start - 2)..<start].elementsEqual([newline, newline])
      let first = hasGap ? start - 1 : start
      bytes.removeSubrange(first..<end)
      if result == .nothing { result = .removed }
      position = first
    }
    // Somebody has indented the lines, or given them other ends.
    let isLeft = String(decoding: bytes, as: UTF8.self).containsBytes(of: Self.mark)
    return result == .nothing && isLeft ? .changed : result
  }

  /// Whether a line is the hook and nothing else, perhaps an older one or with options.
  private func isHook(_ line: ArraySlice<UInt8>) -> Bool {
    var rest = String(decoding: line, as: UTF8.self).trimmed
    for guarding in ["command -v baton >/dev/null && ", "command -q baton; and "] {
      if let hook = rest.rest(afterBytesOf: guarding) { rest = hook }
    }
    for (start, end) in [("eval \"$(baton shell-init ", ")\""), ("baton shell-init ", " | source")] {
      guard let middle = rest.rest(afterBytesOf: start), middle.utf8.count >= end.utf8.count,
        middle.utf8.suffix(end.utf8.count).elementsEqual(end.utf8)
      else { continue }
      return middle.utf8.dropLast(end.utf8.count).allSatisfy {
        $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: " ") || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
      }
    }
    return false
  }

  /// The index of a text that begins a line.
  private func find(_ text: [UInt8], from position: Int) -> Int? {
    guard bytes.count - position >= text.count else { return nil }
    return (position...(bytes.count - text.count)).first { start in
      (start == 0 || bytes[start - 1] == UInt8(ascii: "\n")) && bytes[start..<(start + text.count)].elementsEqual(text)
    }
  }
}
