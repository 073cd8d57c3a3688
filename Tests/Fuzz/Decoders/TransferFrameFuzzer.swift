// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop

/// What the other end of a files stream sends.
enum TransferFrameFuzzer: Fuzzer {
  private static let time = FileTime(seconds: 1_700_000_000, nanoseconds: 5)
  private static let entries = [
    entry("top", .folder), entry("top/a", .file(size: 3, isExecutable: true)),
    entry("top/sub", .folder), entry("top/sub/link", .link(target: Array("../a".utf8))),
    entry("b\u{202E}", .file(size: 1 << 40, isExecutable: false)), entry("top/same", .hardLink(file: 1)),
  ].compactMap(\.self)

  private static func entry(_ path: String, _ kind: TransferEntry.Kind) -> TransferEntry? {
    TransferPath(Array(path.utf8)).map { TransferEntry($0, kind, modified: time, isPrivate: path.count > 4) }
  }

  private static let frames: [TransferFrame] = [
    .request(version: 1), .entries(entries),
    .entriesEnd(TransferFrame.EntriesEnd(count: 6, size: 1 << 40 + 3, stored: 7, omitted: 1)),
    .present(entry: 1, block: 2, hashes: Array(repeating: 7, count: 64)[...]), .go,
    .data(entry: 1, offset: 2, bytes: [1, 2, 3]), .fileEnd(entry: 1, size: 3, modified: time),
    .omitted(entry: 4, .changed),
    .end, .received(3), .finished(nil), .finished(.diskFull),
  ]

  static let seeds: [[UInt8]] = frames.map { bytes(of: [$0]) } + [bytes(of: frames)]

  static let words = ["\"version\":1", "\"reason\":\"diskFull\"", "../", "/", "\u{0}\u{0}\u{0}\u{19}"]

  private static func bytes(of frames: [TransferFrame]) -> [UInt8] {
    var bytes: [UInt8] = []
    for frame in frames { frame.append(to: &bytes) }
    return bytes
  }

  static func run(_ input: [UInt8]) throws {
    var rest = input[...]
    var manifest = Manifest()
    do {
      while let header = rest.takeFirst(TransferFrame.headerLength) {
        guard let payload = rest.takeFirst(try TransferFrame.payloadLength(header)) else { return }
        guard let frame = try TransferFrame(kind: header.first ?? 0, payload: payload) else { continue }
        check(frame)
        if case .entries(let entries) = frame { for entry in entries { try add(entry, to: &manifest) } }
      }
    } catch is MalformedTransfer, is TransferFailure {}
  }

  private static func add(_ entry: TransferEntry, to manifest: inout Manifest) throws {
    let count = manifest.entries.count
    let isKnown = manifest.index(of: entry.path) != nil
    try manifest.add(entry)
    hold(!isKnown, "\(entry.path.text) comes twice")
    same(manifest.index(of: entry.path), UInt32(count))
    if let parent = entry.path.parent {
      hold(manifest.index(of: parent).flatMap { manifest[$0] }?.isFolder == true, "\(entry.path.text) is in no folder")
    }
    if case .hardLink(let file) = entry.kind {
      hold(file < count, "\(entry.path.text) comes before its file")
      if case .file = manifest.entries[Int(file)].kind {} else { hold(false, "\(entry.path.text) is no file") }
    }
    same(manifest.size, manifest.entries.reduce(0) { $0 + $1.size })
  }

  private static func check(_ frame: TransferFrame) {
    if case .entries(let entries) = frame { for entry in entries { check(entry) } }
    let written = bytes(of: [frame])
    guard written.count <= TransferFrame.headerLength + TransferFrame.transferPayloadLength else { return }
    let payload = written[TransferFrame.headerLength...]
    same(try? TransferFrame.payloadLength(written.prefix(TransferFrame.headerLength)), payload.count)
    same(try? TransferFrame(kind: written.first ?? 0, payload: payload), frame, "A frame does not survive")
  }

  private static func check(_ entry: TransferEntry) {
    let names = entry.path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    for name in names {
      hold(!name.isEmpty && !name.contains(0) && name.count <= 255, "\(entry.path.text) has an odd name")
      hold(!name.elementsEqual(".".utf8) && !name.elementsEqual("..".utf8), "\(entry.path.text) leads elsewhere")
    }
    hold(entry.size <= UInt64(Int64.max), "\(entry.size) bytes")
    guard case .link(let target) = entry.kind else { return }
    // Followed from the link's folder, it never leaves the top folder.
    var depth = names.count - 1
    hold(target.first != UInt8(ascii: "/") && !target.isEmpty && !target.contains(0), "A link leads elsewhere")
    for name in target.split(separator: UInt8(ascii: "/")) where !name.elementsEqual(".".utf8) {
      depth += name.elementsEqual("..".utf8) ? -1 : 1
      hold(depth >= 1, "\(entry.path.text) leads out of its top folder")
    }
  }
}
