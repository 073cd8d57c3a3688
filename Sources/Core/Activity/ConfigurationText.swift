// SPDX-License-Identifier: Apache-2.0

/// The common part of the readers of configuration files. They read files as systemd does.
extension StringProtocol where SubSequence == Substring {
  /// The lines, also empty ones, so that their numbers are right. A newline, a carriage return, both together, or NUL
  /// ends a line. A byte order mark at the beginning is left out.
  package var configurationLines: [Substring] {
    var lines: [Substring] = []
    var rest = self[...].unicodeScalars
    if rest.first == "\u{FEFF}" { rest = rest.dropFirst() }
    while let end = rest.firstIndex(where: { "\n\r\0".unicodeScalars.contains($0) }) {
      lines.append(Substring(rest[..<end]))
      let isReturn = rest[end] == "\r"
      rest = rest[end...].dropFirst()
      if isReturn, rest.first == "\n" { rest = rest.dropFirst() }
    }
    return lines + [Substring(rest)]
  }

  /// The text without white space at its ends.
  package var trimmed: Substring {
    let start = self[...].unicodeScalars.drop(while: \.properties.isWhitespace)
    return Substring(start.lastIndex { !$0.properties.isWhitespace }.map { start[...$0] } ?? start.prefix(0))
  }
}
