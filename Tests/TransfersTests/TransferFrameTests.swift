// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

@Suite struct TransferFrameTests {
  private static let time = FileTime(seconds: -1, nanoseconds: 999_999_999)

  private static func entry(_ path: String, _ kind: TransferEntry.Kind, isPrivate: Bool = false) -> TransferEntry {
    TransferEntry(TransferPath(Array(path.utf8))!, kind, modified: time, isPrivate: isPrivate)
  }

  private static let frames: [TransferFrame] = [
    .request(version: 1),
    .entries([
      entry("top", .folder), entry("top/a\n", .file(size: 5 << 30, isExecutable: true)),
      entry("top/l", .link(target: Array("a\n".utf8))), entry("top/e", .file(size: 0, isExecutable: false)),
      entry("top/h", .hardLink(file: 1)), entry("top/p", .file(size: 7, isExecutable: true), isPrivate: true),
      entry("top/d", .folder, isPrivate: true),
    ]),
    .entriesEnd(.init(count: 4, size: 5 << 30, stored: 12, omitted: 1)),
    .present(entry: 1, block: 8192, hashes: ArraySlice(repeating: 7, count: 64)),
    .go, .data(entry: 1, offset: 1 << 40, bytes: [1, 2, 3]), .data(entry: 1, offset: 0, bytes: []),
    .fileEnd(entry: 1, size: 1 << 40, modified: time), .omitted(entry: 3, .changed), .end, .received(1 << 50),
    .finished(nil), .finished(.diskFull),
  ]

  private func parse(_ bytes: [UInt8]) throws -> TransferFrame? {
    let header = bytes.prefix(TransferFrame.headerLength)
    #expect(try TransferFrame.payloadLength(header) == bytes.count - header.count)
    return try TransferFrame(kind: header[0], payload: bytes.dropFirst(header.count))
  }

  @Test(arguments: frames) func aFrameArrivesAsItWasSent(_ frame: TransferFrame) throws {
    var bytes: [UInt8] = []
    frame.append(to: &bytes)
    #expect(try parse(bytes) == frame)
  }

  @Test(arguments: frames) func aFrameThatIsCutIsRefusedOrShorter(_ frame: TransferFrame) {
    var bytes: [UInt8] = []
    frame.append(to: &bytes)
    let payload = bytes.dropFirst(TransferFrame.headerLength)
    for count in 0..<payload.count {
      let cut = try? TransferFrame(kind: bytes[0], payload: payload.prefix(count))
      #expect(cut == nil || cut != frame)
    }
  }

  @Test func anUnknownKindIsSkipped() throws {
    #expect(try TransferFrame(kind: 99, payload: [1]) == nil)
  }

  @Test func aFrameThatIsTooLongIsRefused() {
    #expect(throws: MalformedTransfer.self) { try TransferFrame.payloadLength([6, 0xFF, 0xFF, 0xFF]) }
  }

  @Test(arguments: [
    (path: "../x", tag: UInt8(0), target: ""), ("/x", 0, ""), ("top/l", 3, "../../etc"), ("top/l", 3, "/etc"),
    ("a", 9, ""), ("a", 133, ""),
  ])
  func anEntryThatLeadsElsewhereIsRefused(_ path: String, _ tag: UInt8, _ target: String) {
    var payload: [UInt8] = [tag]
    payload.append(number: UInt64(1))
    payload.append(Self.time)
    payload.append(number: UInt16(path.utf8.count))
    payload.append(number: UInt16(target.utf8.count))
    payload += Array(path.utf8) + Array(target.utf8)
    #expect(throws: MalformedTransfer.self) { try TransferFrame(kind: 2, payload: payload[...]) }
  }
}

@Suite struct ManifestTests {
  private func entry(_ path: String, _ kind: TransferEntry.Kind = .file(size: 1, isExecutable: false)) -> TransferEntry
  {
    TransferEntry(TransferPath(Array(path.utf8))!, kind, modified: FileTime(seconds: 0, nanoseconds: 0))
  }

  @Test func entriesAreInFoldersThatCameBefore() throws {
    var manifest = Manifest()
    try manifest.add(entry("top", .folder))
    try manifest.add(entry("top/a"))
    #expect(manifest.size == 1)
    #expect(throws: MalformedTransfer.self) { try manifest.add(entry("other/a")) }
    #expect(throws: MalformedTransfer.self) { try manifest.add(entry("top/a/b")) }
    #expect(throws: MalformedTransfer.self) { try manifest.add(entry("top/a")) }
    #expect(throws: MalformedTransfer.self) { try manifest.add(entry("top", .link(target: []))) }
  }

  @Test func nothingIsInALink() throws {
    var manifest = Manifest()
    try manifest.add(entry("top", .folder))
    try manifest.add(entry("top/l", .link(target: Array("x".utf8))))
    #expect(throws: MalformedTransfer.self) { try manifest.add(entry("top/l/a")) }
  }

  @Test func aHardLinkLeadsToAFileThatCameBefore() throws {
    var manifest = Manifest()
    try manifest.add(entry("top", .folder))
    try manifest.add(entry("top/a"))
    try manifest.add(entry("top/b", .hardLink(file: 1)))
    for file: UInt32 in [0, 2, 3, 4, .max] {
      #expect(throws: MalformedTransfer.self) { try manifest.add(entry("top/c", .hardLink(file: file))) }
    }
    #expect(manifest.size == 1, "It is stored once")
  }

  @Test func sizesDoNotOverflow() throws {
    var manifest = Manifest()
    try manifest.add(entry("a", .file(size: UInt64(Int64.max), isExecutable: false)))
    #expect(throws: TransferFailure.tooLarge) { try manifest.add(entry("b")) }
  }

  @Test func aTransferBeginsWithFewNames() throws {
    var manifest = Manifest()
    for index in 0..<Limits.filesPerTransfer { try manifest.add(entry("top\(index)", .folder)) }
    try manifest.add(entry("top0/a", .folder))
    #expect(throws: TransferFailure.tooManyFiles) { try manifest.add(entry("top", .folder)) }
  }
}
