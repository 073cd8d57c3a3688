// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

extension TransferFrame {
  /// Appends the frame as it is sent.
  package func append(to output: inout [UInt8]) {
    switch self {
    case .request(let version):
      Self.append(.request, to: &output) { $0 += JSON.object(["version": .integer(Int64(version))]).bytes }
    case .entries(let entries):
      Self.append(.entries, to: &output) { for entry in entries { entry.append(to: &$0) } }
    case .entriesEnd(let end):
      Self.append(.entriesEnd, to: &output) {
        $0.append(number: end.count)
        $0.append(number: end.size)
        $0.append(number: end.stored)
        $0.append(number: end.omitted)
      }
    case .present(let entry, let block, let hashes):
      Self.append(.present, to: &output) {
        $0.append(number: entry)
        $0.append(number: block)
        $0.append(contentsOf: hashes)
      }
    case .go: Self.append(.go, to: &output) { _ in }
    case .data(let entry, let offset, let bytes):
      Self.appendDataHeader(entry: entry, offset: offset, count: bytes.count, to: &output)
      output += bytes
    case .fileEnd(let entry, let size, let modified):
      Self.append(.fileEnd, to: &output) {
        $0.append(number: entry)
        $0.append(number: size)
        $0.append(modified)
      }
    case .omitted(let entry, let reason):
      Self.append(.omitted, to: &output) {
        $0.append(number: entry)
        $0.append(reason.rawValue)
      }
    case .end: Self.append(.end, to: &output) { _ in }
    case .received(let count): Self.append(.received, to: &output) { $0.append(number: count) }
    case .finished(let failure, let omitted):
      Self.append(.finished, to: &output) {
        var members: [String: JSON] = [:]
        if let failure { members["reason"] = .string(failure.rawValue) }
        if omitted > 0 { members["omitted"] = .integer(Int64(omitted)) }
        $0 += JSON.object(members).bytes
      }
    }
  }

  /// Appends what precedes the bytes of a ``data(entry:offset:bytes:)``, so that they need not be copied.
  package static func appendDataHeader(entry: UInt32, offset: UInt64, count: Int, to output: inout [UInt8]) {
    appendHeader(.data, count: 12 + count, to: &output)
    output.append(number: entry)
    output.append(number: offset)
  }

  private static func append(_ kind: Kind, to output: inout [UInt8], payload: (inout [UInt8]) -> Void) {
    let start = output.count
    appendHeader(kind, count: 0, to: &output)
    payload(&output)
    // Checked output, start, headerLength: the header is there.
    let count = UInt32(clamping: output.count - start - headerLength)
    // Checked: three bytes of four.
    for place in 1...3 { output[start + place] = UInt8(truncatingIfNeeded: count >> UInt32(24 - 8 * place)) }
  }

  private static func appendHeader(_ kind: Kind, count: Int, to output: inout [UInt8]) {
    // Checked: a payload has at most `TransferFrame.transferPayloadLength` bytes, which is less than 2^24.
    output.append(number: UInt32(kind.rawValue) << 24 | UInt32(clamping: count))
  }
}

extension TransferEntry {
  private enum Tag {
    static let file: UInt8 = 0
    static let program: UInt8 = 1
    static let folder: UInt8 = 2
    static let link: UInt8 = 3
    static let hardLink: UInt8 = 4
    /// Added to the others.
    static let isPrivate: UInt8 = 128
  }

  /// The number of bytes that describe it.
  package var length: Int {
    if case .link(let target) = kind { 25 + path.bytes.count + target.count } else { 25 + path.bytes.count }
  }

  func append(to output: inout [UInt8]) {
    var target: [UInt8] = []
    var number = size
    var tag: UInt8
    switch kind {
    case .file(_, let isExecutable): tag = isExecutable ? Tag.program : Tag.file
    case .folder: tag = Tag.folder
    case .link(let text):
      tag = Tag.link
      target = text
    case .hardLink(let file):
      tag = Tag.hardLink
      number = UInt64(file)
    }
    if isPrivate { tag |= Tag.isPrivate }
    output.append(tag)
    output.append(number: number)
    output.append(modified)
    output.append(number: UInt16(clamping: path.bytes.count))
    output.append(number: UInt16(clamping: target.count))
    output += path.bytes
    output += target
  }

  init(taking rest: inout ArraySlice<UInt8>) throws(MalformedTransfer) {
    guard let tag = rest.popFirst(), let size = rest.take(UInt64.self), let time = rest.takeTime(),
      let pathLength = rest.take(UInt16.self), let targetLength = rest.take(UInt16.self),
      let path = rest.takeFirst(Int(pathLength)), let target = rest.takeFirst(Int(targetLength))
    else { throw MalformedTransfer("an entry is incomplete") }
    guard let path = TransferPath(Array(path)) else { throw MalformedTransfer("a path is not allowed") }
    guard size <= UInt64(Int64.max) else { throw MalformedTransfer("a size is impossible") }
    let kind = try Self.kind(tag & ~Tag.isPrivate, size, Array(target), path)
    self.init(path, kind, modified: time, isPrivate: tag & Tag.isPrivate != 0)
  }

  private static func kind(
    _ tag: UInt8,
    _ size: UInt64,
    _ target: [UInt8],
    _ path: TransferPath
  ) throws(MalformedTransfer) -> Kind {
    switch tag {
    case Tag.file, Tag.program: return .file(size: size, isExecutable: tag == Tag.program)
    case Tag.folder: return .folder
    case Tag.link:
      guard path.mayLink(to: target) else { throw MalformedTransfer("a link points outside the transfer") }
      return .link(target: target)
    case Tag.hardLink:
      guard let file = UInt32(exactly: size) else { throw MalformedTransfer("a hard link has no target") }
      return .hardLink(file: file)
    default: throw MalformedTransfer("an entry has an unknown kind")
    }
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the highest first.
  mutating func append<N: FixedWidthInteger & UnsignedInteger>(number: N) {
    // Checked: the shifts are less than the width.
    for shift in stride(from: N.bitWidth - 8, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> N(shift)))
    }
  }

  mutating func append(_ time: FileTime) {
    append(number: UInt64(bitPattern: time.seconds))
    append(number: time.nanoseconds)
  }
}

extension ArraySlice<UInt8> {
  /// Removes the bytes of a number, the highest first, and returns it. Nil if there are fewer.
  mutating func take<N: FixedWidthInteger & UnsignedInteger>(_: N.Type) -> N? {
    takeFirst(N.bitWidth / 8).map { $0.reduce(0) { $0 << 8 | N($1) } }
  }

  mutating func takeTime() -> FileTime? {
    guard let seconds = take(UInt64.self), let nanoseconds = take(UInt32.self) else { return nil }
    return FileTime(seconds: Int64(bitPattern: seconds), nanoseconds: nanoseconds)
  }
}
