// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Desktop
import Foundation
import TestSupport
import Testing

/// What an origin cannot do to a receiver.
@Suite(.isolated)
struct HostileOriginTests {
  private let machines: Machines

  init() throws { machines = try Machines() }

  /// Sends entries, waits until the receiver is ready, and sends the rest.
  private func receive(
    _ entries: [TransferEntry],
    _ allowance: FileReceiver.Allowance = FileReceiver.Allowance(),
    then rest: @escaping @Sendable (Peer) throws -> Void
  ) throws -> (result: Result<FileReceiver.Result, any Error>, told: TransferFrame?) {
    try machines.receive(allowance) { peer in
      try peer.send(.entries(entries), .end(of: entries))
      try peer.wait { $0 == .go }
      try rest(peer)
    }
  }

  /// Checks that the transfer failed on both sides, and that nothing has a final name.
  private func expect(
    _ failure: TransferFailure,
    _ outcome: (result: Result<FileReceiver.Result, any Error>, told: TransferFrame?),
    _ comment: Comment? = nil
  ) {
    #expect(throws: TransferStop.failed(failure), comment) { try outcome.result.get() }
    #expect(outcome.told == .finished(failure), comment)
    #expect(machines.names() == [StagingFolder.name], comment)
  }

  /// An entry as it is sent, whatever is in it.
  private func entry(_ tag: UInt8, _ path: [UInt8], size: UInt64 = 0, target: [UInt8] = []) -> [UInt8] {
    var bytes = [tag]
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: size >> UInt64(shift))) }
    bytes += [UInt8](repeating: 0, count: 12)
    for count in [path.count, target.count] { bytes += [UInt8(count >> 8), UInt8(count & 255)] }
    bytes += path + target
    return [2, UInt8(bytes.count >> 16), UInt8(bytes.count >> 8 & 255), UInt8(bytes.count & 255)] + bytes
  }

  @Test func pathsThatLeadElsewhereAreRefused() throws {
    let long = String(repeating: "n", count: 256)
    let deep = Array(repeating: "d", count: 129).joined(separator: "/")
    let longer = Array(repeating: String(repeating: "n", count: 255), count: 13).joined(separator: "/")
    for path in [
      "..", ".", "", "/", "../x", "/etc/x", "a/../../x", "a//x", "a/", "./a", "a\0b", "a/..", long, deep, longer,
    ] {
      for tag: UInt8 in [0, 2] {
        let bytes = entry(2, Array("a".utf8)) + entry(tag, Array(path.utf8))
        expect(.protocolViolation, try machines.receive { try $0.send(bytes: bytes) }, "\(path)")
      }
    }
  }

  @Test func linksThatLeadElsewhereAreRefused() throws {
    for target in ["/etc/passwd", "..", "../..", "../../x", "a/../../x", "", "a\0b", "./../x"] {
      let bytes = entry(2, Array("top".utf8)) + entry(3, Array("top/link".utf8), target: Array(target.utf8))
      expect(.protocolViolation, try machines.receive { try $0.send(bytes: bytes) }, "\(target)")
    }
    let top = entry(3, Array("link".utf8), target: Array("x".utf8))
    expect(.protocolViolation, try machines.receive { try $0.send(bytes: top) })
  }

  @Test func hardLinksThatLeadToNoEarlierFileAreRefused() throws {
    for file: UInt64 in [0, 1, 2, 1 << 32, .max >> 1] {
      let bytes = entry(2, Array("top".utf8)) + entry(4, Array("top/link".utf8), size: file)
      expect(.protocolViolation, try machines.receive { try $0.send(bytes: bytes) }, "\(file)")
    }
    let entries = try [
      TransferEntry("top", .folder), .file("top/a"), TransferEntry("top/b", .hardLink(file: 1)),
      TransferEntry("top/c", .hardLink(file: 2)),
    ]
    expect(.protocolViolation, try machines.receive { try $0.send(.entries(entries)) })
  }

  @Test func everyEntryIsInAFolderAndComesOnce() throws {
    let top = try TransferEntry("top", .folder)
    let link = try TransferEntry("top/link", .link(target: Array("x".utf8)))
    let stories: [[TransferEntry]] = try [
      [.file("top/a")], [.file("top"), .file("top/a")], [top, link, .file("top/link/a")], [top, top],
      [.file("a"), .file("a")], [.file("top"), top], [top, link, TransferEntry("top/link", .folder)],
      [top, .file("top/link"), link],
    ]
    for entries in stories {
      let outcome = try machines.receive { try $0.send(.entries(entries), .end(of: entries)) }
      expect(.protocolViolation, outcome, "\(entries)")
    }
  }

  @Test func sizesThatNoFileCanHaveAreRefused() throws {
    let bytes = entry(0, Array("a".utf8), size: 1 << 63)
    expect(.protocolViolation, try machines.receive { try $0.send(bytes: bytes) })
    let most = UInt64(Int64.max)
    let entries = try [TransferEntry.file("a", size: most), .file("b", size: 1)]
    expect(.tooLarge, try machines.receive { try $0.send(.entries(entries)) })
  }

  @Test func offsetsThatNoFileCanHaveEndTheTransfer() throws {
    let entries = try [TransferEntry.file("a", size: UInt64(Int64.max))]
    for offset: UInt64 in [1 << 63, .max, .max - 1, UInt64(Int64.max), UInt64(Int64.max) - 1] {
      let outcome = try receive(entries) { try $0.send(.data(entry: 0, offset: offset, bytes: [1, 2])) }
      expect(.tooLarge, outcome, "\(offset)")
      let end = try receive(entries) {
        try $0.send(.fileEnd(entry: 0, size: max(offset, 1 << 63), modified: FileTime(seconds: .min, nanoseconds: 0)))
      }
      expect(.tooLarge, end, "\(offset)")
    }
  }

  @Test func noMoreArrivesThanWasAnnounced() throws {
    let entries = try [TransferEntry.file("a", size: 10), .file("b", size: 10)]
    let piece = Array(repeating: 1, count: 250_000)[...] as ArraySlice<UInt8>
    let outcome = try receive(entries) { peer in
      var offset: UInt64 = 0
      while try peer.send(.data(entry: 0, offset: offset, bytes: piece)) { offset += UInt64(piece.count) }
    }
    expect(.tooLarge, outcome)
    var status = stat()
    #expect(stat("\(machines.there)/\(StagingFolder.name)/t/files/a", &status) == 0)
    #expect(status.st_size < 20 << 20)
    expect(.tooLarge, try receive(entries) { try $0.send(.data(entry: 1, offset: 1 << 40, bytes: [1])) })
    let end = TransferFrame.fileEnd(entry: 1, size: 1 << 40, modified: FileTime(seconds: 0, nanoseconds: 0))
    expect(.tooLarge, try receive(entries) { try $0.send(end) })
    let refused = try machines.receive(FileReceiver.Allowance(size: 19)) {
      try $0.send(.entries(entries), .end(of: entries))
    }
    expect(.tooLarge, refused)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount a small disk"))
  func spaceStaysFreeWhenHolesAreFilled() throws {
    guard mount("none", machines.there, "tmpfs", 0, "size=200m") == 0 else { return }
    defer { umount2(machines.there, Int32(MNT_DETACH)) }
    let entries = try [TransferEntry.file("a", size: 1 << 30)]
    let piece = Array(repeating: 1, count: 250_000)[...] as ArraySlice<UInt8>
    let outcome = try receive(entries, FileReceiver.Allowance(reserve: 64 << 20)) { peer in
      var offset: UInt64 = 1 << 29
      try peer.send(.data(entry: 0, offset: 1 << 30, bytes: [1]))
      while offset < 1 << 30, try peer.send(.data(entry: 0, offset: offset, bytes: piece)) {
        offset += UInt64(piece.count)
      }
    }
    expect(.diskFull, outcome)
    var status = statvfs()
    #expect(statvfs(machines.there, &status) == 0)
    #expect(status.f_bavail * status.f_frsize > 40 << 20)
  }

  @Test func framesAboutNothingEndTheTransfer() throws {
    let time = FileTime(seconds: 0, nanoseconds: 0)
    let entries = try [
      TransferEntry("top", .folder), TransferEntry("top/link", .link(target: Array("a".utf8))),
      .file("top/a", size: 1),
    ]
    let stories: [[TransferFrame]] = [
      [.data(entry: 0, offset: 0, bytes: [1])], [.data(entry: 1, offset: 0, bytes: [1])],
      [.data(entry: 3, offset: 0, bytes: [1])], [.data(entry: .max, offset: 0, bytes: [])],
      [.fileEnd(entry: 0, size: 0, modified: time)], [.fileEnd(entry: .max, size: 0, modified: time)],
      [.fileEnd(entry: 2, size: 0, modified: time), .fileEnd(entry: 2, size: 0, modified: time)],
      [.omitted(entry: 3, .changed)], [.end], [.data(entry: 2, offset: 0, bytes: [1]), .end], [.go],
      [.entries(entries)], [.request(version: 1)], [.received(1)], [.present(entry: 2, block: 0, hashes: [])],
      [.finished(nil)],
    ]
    for frames in stories {
      let outcome = try receive(entries) { peer in for frame in frames { try peer.send(frame) } }
      expect(.protocolViolation, outcome, "\(frames)")
    }
    let counts = TransferFrame.EntriesEnd(count: 4, size: 1, stored: 1, omitted: 0)
    expect(.protocolViolation, try machines.receive { try $0.send(.entries(entries), .entriesEnd(counts)) })
    let sizes = TransferFrame.EntriesEnd(count: 3, size: 2, stored: 1, omitted: 0)
    expect(.protocolViolation, try machines.receive { try $0.send(.entries(entries), .entriesEnd(sizes)) })
    expect(.protocolViolation, try machines.receive { try $0.send(bytes: [2, 0xFF, 0xFF, 0xFF]) })
  }

  @Test func whatNeverEndsIsEnded() throws {
    let entries = try [TransferEntry.file("a", size: 1), .file("b", size: 1)]
    expect(.protocolViolation, try machines.receive { try $0.send(endlessly: .entries([])) })
    let unknown = [UInt8](repeating: 200, count: 1) + [0, 0, 0]
    let skipped = try machines.receive { peer in
      let frames = Array(repeating: unknown, count: 10_000).flatMap(\.self)
      while try peer.send(bytes: frames) {}
    }
    expect(.protocolViolation, skipped)
    let stories: [TransferFrame] = [
      .data(entry: 1, offset: 0, bytes: []), .data(entry: 1, offset: 1, bytes: []),
      .data(entry: 1, offset: 0, bytes: Array(repeating: 1, count: 1000)[...]), .omitted(entry: 0, .changed),
      .data(entry: 0, offset: 0, bytes: Array(repeating: 1, count: 1000)[...]), .data(entry: 0, offset: 0, bytes: []),
      .fileEnd(entry: 0, size: 0, modified: FileTime(seconds: 0, nanoseconds: 0)),
    ]
    for frame in stories {
      let outcome = try receive(entries) { peer in
        try peer.send(.omitted(entry: 0, .changed))
        try peer.send(endlessly: frame)
      }
      expect(.protocolViolation, outcome, "\(frame)")
    }
  }

  @Test func holesAreNotReadForHours() throws {
    let entries = try [TransferEntry.file("a", size: 1 << 43)]
    let last = TransferFrame.data(entry: 0, offset: (1 << 43) - 1, bytes: [1])
    for _ in 0..<2 {
      let outcome = try receive(entries) { try $0.send(last) }
      #expect(throws: TransferStop.broken) { try outcome.result.get() }
    }
  }

  @Test func noFileIsOutsideOfTheFolder() throws {
    let outside = "\(machines.root)/outside"
    mkdir(outside, 0o700)
    let entries = try [TransferEntry("top", .folder), .file("top/a", size: 3)]
    let staged = "\(machines.there)/\(StagingFolder.name)/t/files/top"
    // Somebody puts a link there while the file arrives.
    let outcome = try receive(entries) { peer in
      try FileManager.default.removeItem(atPath: staged)
      #expect(symlink(outside, staged) == 0)
      try peer.send(.data(entry: 1, offset: 0, bytes: [1, 2, 3]))
    }
    expect(.folderUnavailable, outcome)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside).isEmpty)
  }

  @Test func aFileOfTheNameMeansThatNamesAreNotToldApart() throws {
    let entries = try [TransferEntry("top", .folder), .file("top/a", size: 1), .file("top/b", size: 3)]
    let staged = "\(machines.there)/\(StagingFolder.name)/t/files/top"
    let time = FileTime(seconds: 0, nanoseconds: 0)
    let outcome = try receive(entries) { peer in
      #expect(FileManager.default.createFile(atPath: "\(staged)/b", contents: Data("B".utf8)))
      try peer.send(.data(entry: 1, offset: 0, bytes: [1]), .fileEnd(entry: 1, size: 1, modified: time))
      try peer.send(.data(entry: 2, offset: 0, bytes: [1, 2, 3]), .fileEnd(entry: 2, size: 3, modified: time), .end)
      try peer.wait { $0 == .finished(nil, omitted: 1) }
    }
    #expect(try outcome.result.get().omissions.map(\.path.text) == ["top/b"])
    #expect(machines.content("top/b") == Data("B".utf8))
  }
}
