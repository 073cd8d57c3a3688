// SPDX-License-Identifier: Apache-2.0

/// Reads a body of unknown length (RFC 9112, section 7.1), and writes it in the one form that all programs read in the
/// same way: without extensions and trailers.
///
/// Legal transitions: `size` → `data` → `gap` → `size`; `size` → `trailer` → `over`; any → `malformed`.
struct ChunkedBody: Equatable, Sendable {
  private struct Malformed: Error {}

  private enum State: Equatable {
    /// The beginning of the line with a chunk's length.
    case size([UInt8])
    /// How many bytes of the chunk are missing.
    case data(Int)
    /// The beginning of the empty line after a chunk.
    case gap([UInt8])
    /// The beginning of a line after the last chunk.
    case trailer([UInt8])
    case over
    case malformed
  }

  /// The maximum length of a line with a length in bytes. Extensions, which nobody uses, are part of it.
  private static let lineLength = 256
  /// The maximum number of digits of a length. There is no overflow.
  private static let digits = 15

  private var state = State.size([])
  private var trailerLength = 0

  /// Whether nothing that follows belongs to the body.
  var isOver: Bool { state == .over }

  /// Whether programs could read it in different ways. The server must not take what it got for everything.
  var isMalformed: Bool { state == .malformed }

  /// - Returns: The bytes for the server.
  mutating func receive(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var rest = bytes
    var passed: [UInt8] = []
    while !rest.isEmpty, !isOver, !isMalformed {
      do throws(Malformed) { try step(&rest, &passed) } catch { state = .malformed }
    }
    return passed
  }

  private mutating func step(_ rest: inout ArraySlice<UInt8>, _ passed: inout [UInt8]) throws(Malformed) {
    switch state {
    case .size(var line):
      let isWhole = try Self.read(&line, &rest, limit: Self.lineLength)
      state = .size(line)
      guard isWhole else { return }
      let length = try Self.length(line)
      state = length == 0 ? .trailer([]) : .data(length)
      if length > 0 { passed += Array(String(length, radix: 16).utf8) + [0x0D, 0x0A] }
    case .data(let missing):
      let part = rest.prefix(missing)
      passed += part
      rest = rest.dropFirst(part.count)
      state = part.count == missing ? .gap([]) : .data(missing - part.count)  // Checked: at least the part's.
    case .gap(var line):
      let isWhole = try Self.read(&line, &rest, limit: 2)
      state = .gap(line)
      guard isWhole else { return }
      guard line.isEmpty else { throw Malformed() }
      passed += [0x0D, 0x0A]
      state = .size([])
    case .trailer(var line):
      // Checked: at most the limit.
      let isWhole = try Self.read(&line, &rest, limit: LocalPageLimits.headLength - trailerLength)
      state = .trailer(line)
      guard isWhole else { return }
      trailerLength += line.count + 2  // Checked: at most the limit.
      state = line.isEmpty ? .over : .trailer([])
      if line.isEmpty { passed += Array("0\r\n\r\n".utf8) }
    case .over, .malformed: rest = []
    }
  }

  /// Moves bytes to a line until it is whole. It is without its end then.
  ///
  /// - Parameter limit: The maximum length, with CRLF.
  private static func read(
    _ line: inout [UInt8],
    _ rest: inout ArraySlice<UInt8>,
    limit: Int
  ) throws(Malformed) -> Bool {
    while let byte = rest.popFirst() {
      guard line.count < limit else { throw Malformed() }
      guard line.last == 0x0D else {
        guard byte >= 0x20 && byte != 0x7F || byte == 0x09 || byte == 0x0D else { throw Malformed() }
        line.append(byte)
        continue
      }
      guard byte == 0x0A else { throw Malformed() }
      line.removeLast()
      return true
    }
    return false
  }

  /// Reads the hexadecimal number before an extension.
  private static func length(_ line: [UInt8]) throws(Malformed) -> Int {
    let number = line.prefix { $0 != UInt8(ascii: ";") }
    let isDigit: (UInt8) -> Bool = { byte in
      (0x30...0x39).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
    guard !number.isEmpty, number.count <= digits, number.allSatisfy(isDigit),
      let length = Int(String(decoding: number, as: UTF8.self), radix: 16)
    else { throw Malformed() }
    return length
  }
}
