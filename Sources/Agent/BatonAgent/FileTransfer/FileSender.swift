// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// Sends files through one stream (ActivityTypes.md, "The files stream"), on the thread that calls it.
package final class FileSender {
  /// The number of bytes of a file that go into one frame.
  private static let transferPieceLength = 256 * 1024

  /// What did not arrive, although the transfer is done.
  package struct Result: Equatable, Sendable {
    /// At most `Limits.transferOmissions`.
    package var omissions: [Omission] = []
    /// The number of all.
    package var omitted = 0
  }

  private let socket: TransferSocket
  private let control: TransferControl
  private let tree: SourceTree
  private let hash = BlockHash()
  /// The hashes of the blocks that the receiver has of a file, from the first on.
  private var present: [UInt32: ArraySlice<UInt8>] = [:]
  private var result = Result()
  /// What does not arrive.
  private var refused: Set<UInt32> = []
  /// By how many bytes files can still grow.
  private var growth: UInt64
  private var end: TransferSocket.End?

  private init(_ socket: TransferSocket, _ tree: SourceTree, _ control: TransferControl) {
    (self.socket, self.tree, self.control) = (socket, tree, control)
    result.omissions = tree.omissions
    result.omitted = tree.omitted
    growth = Limits.transferGrowth(of: tree.size)
    socket.onFrame = { [unowned self] in try heard($0) }
  }

  /// Sends everything, and waits until the receiver has it.
  ///
  /// - Parameters:
  ///   - paths: Absolute paths of files and folders.
  ///   - links: Those of them that led through symbolic links when somebody sent them. No other one may do so now.
  ///   - descriptor: A non-blocking socket. It stays open.
  ///   - control: Stops the transfer, and gets its progress.
  package static func send(
    _ paths: [[UInt8]],
    links: Set<Int> = [],
    over descriptor: Int32,
    _ control: TransferControl
  ) throws(TransferStop) -> Result {
    let socket = TransferSocket(descriptor, control)
    var sender: FileSender?
    do {
      switch try socket.next() {
      case .frame(.request(let version)) where version >= TransferFrame.version: break
      case .frame(.finished(let failure, let omitted)):
        // It got everything through an earlier stream, whose end was lost, or wants nothing.
        if let failure { throw TransferStop.failed(failure) }
        socket.end(nil)
        return Result(omitted: omitted)
      default: throw MalformedTransfer("no request")
      }
      let own = FileSender(socket, try SourceTree(paths, links: links, control), control)
      sender = own
      try own.run()
      return own.result
    } catch let stop as TransferStop {
      guard case .failed(let failure) = stop, let end = socket.end(failure) else { throw stop }
      // It can be too late to stop a receiver that has everything.
      guard end.failure == nil, let sender else { throw stop }
      return sender.result(end)
    } catch {
      socket.end(.protocolViolation)
      throw .failed(.protocolViolation)
    }
  }

  private func run() throws {
    try describe()
    try hearWhatIsThere()
    control.update { $0.stage = .moving }
    for (index, entry) in tree.entries.enumerated() {
      guard case .file = entry.kind, !refused.contains(UInt32(index)) else { continue }
      try send(index, entry)
    }
    try socket.send(.end)
    try socket.flush()
    control.update { $0.stage = .finishing }
    while true {
      if let end {
        result = result(end)
        socket.end(nil)
        return
      }
      guard case .frame(let frame) = try socket.next() else { throw MalformedTransfer("data from the receiver") }
      try heard(frame)
    }
  }

  /// - Parameter end: What the receiver said last.
  private func result(_ end: TransferSocket.End) -> Result {
    Result(omissions: result.omissions, omitted: max(result.omitted, end.omitted))
  }

  // MARK: What there is

  private func describe() throws {
    let count = tree.entries.count { !$0.isFolder }
    control.update { ($0.size, $0.count) = (tree.size, count) }
    var part: [TransferEntry] = []
    var length = 0
    for entry in tree.entries {
      if length + entry.length > Self.transferPieceLength {
        try socket.send(.entries(part))
        (part, length) = ([], 0)
      }
      part.append(entry)
      length += entry.length
    }
    try socket.send(.entries(part))
    let end = TransferFrame.EntriesEnd(
      count: UInt32(clamping: tree.entries.count),
      size: tree.size,
      stored: tree.stored,
      omitted: UInt32(clamping: tree.omitted)
    )
    try socket.send(.entriesEnd(end))
    try socket.flush()
  }

  private func hearWhatIsThere() throws {
    while end == nil {
      guard case .frame(let frame) = try socket.next() else { throw MalformedTransfer("data from the receiver") }
      if case .go = frame { return }
      try heard(frame)
    }
  }

  private func heard(_ frame: TransferFrame) throws {
    switch frame {
    case .present(let entry, let block, let hashes):
      let known = present[entry]?.count ?? 0
      guard Int(entry) < tree.entries.count, known == Int(block) * TransferFrame.hashLength else {
        throw MalformedTransfer("hashes for an unknown file")
      }
      guard hashes.count <= room(for: entry) - known else { throw MalformedTransfer("too many hashes") }
      present[entry, default: []] += hashes
    case .omitted(let entry, let reason):
      guard Int(entry) < tree.entries.count else { throw MalformedTransfer("an omission of an unknown file") }
      if refused.insert(entry).inserted { omit(Int(entry), reason) }
    case .received(let count): control.update { $0.received = min(count, $0.size) }
    case .finished(let failure, let omitted):
      if let failure { throw TransferStop.failed(failure) }
      end = TransferSocket.End(failure: nil, omitted: omitted)
    case .request, .entries, .entriesEnd, .go, .data, .fileEnd, .end: throw MalformedTransfer("an unexpected frame")
    }
  }

  /// The number of bytes that the hashes of a file have.
  private func room(for entry: UInt32) -> Int {
    let blocks = tree.entries[Int(entry)].size / UInt64(Limits.transferBlockLength) + 1
    return Int(clamping: blocks.multipliedReportingOverflow(by: UInt64(TransferFrame.hashLength)).partialValue)
  }

  private func omit(_ index: Int, _ reason: OmittedReason) {
    result.omitted += 1
    if result.omissions.count < Limits.transferOmissions {
      result.omissions.append(Omission(tree.entries[index].path, reason))
    }
  }

  // MARK: Files

  private func send(_ index: Int, _ entry: TransferEntry) throws {
    let number = UInt32(index)
    var reason = OmittedReason.changed
    for attempt in 1...Limits.transferAttempts {
      let descriptor = tree.open(index)
      guard descriptor >= 0 else {
        reason = errno == ENOENT || errno == ENOTDIR || errno == ELOOP ? .vanished : .unreadable
        break
      }
      defer { close(descriptor) }
      guard let before = try settled(descriptor) else {
        reason = .changed
        break
      }
      guard before.isFile else {
        reason = .vanished
        break
      }
      let size = UInt64(clamping: before.st_size)
      let grown = size - min(size, entry.size)
      guard grown <= growth else {
        reason = .changed
        break
      }
      if attempt > 1 {
        // Begins again: what was sent of it is void.
        try socket.send(.data(entry: number, offset: 0, bytes: []))
        present[number] = nil
      }
      let content = try sendContent(of: descriptor, number, size)
      if refused.contains(number) { return present[number] = nil }
      guard content != .unreadable else {
        reason = .unreadable
        break
      }
      var after = stat()
      guard fstat(descriptor, &after) == 0, before.isSameContent(as: after) else { continue }
      guard content == .whole else {
        // It was not changed, but has not as many bytes as it says: the kernel or a server makes it up.
        reason = .special
        break
      }
      growth -= grown
      try socket.send(.fileEnd(entry: number, size: size, modified: FileTime(before)))
      control.update { $0.files += 1 }
      present[number] = nil
      return
    }
    if refused.insert(number).inserted { omit(index, reason) }
    try socket.send(.omitted(entry: number, reason))
    control.update { $0.files += 1 }
  }

  /// The state of a file that was not written in the last moments. The kernel notes the time of a change in steps of up
  /// to 10 ms, so of two changes that follow each other immediately, it shows one.
  ///
  /// - Returns: Nil if there is no such state, because it is written all the time.
  private func settled(_ descriptor: Int32) throws -> stat? {
    for _ in 0..<Self.patience {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { return nil }
      var now = timespec()
      clock_gettime(CLOCK_REALTIME, &now)
      let age =
        Duration.seconds(now.tv_sec - status.st_ctim.tv_sec) + .nanoseconds(now.tv_nsec - status.st_ctim.tv_nsec)
      guard age >= .zero, age < Self.clockStep else { return status }
      try socket.flush()
      usleep(20_000)
    }
    return nil
  }

  /// How often the state of a file is looked at until it settles.
  private static let patience = 10

  private static let clockStep = Duration.milliseconds(20)

  private enum Content {
    case whole
    /// It has fewer bytes than it had before, or than it says.
    case tooShort
    case unreadable
  }

  /// Sends the bytes that the receiver does not have.
  private func sendContent(of descriptor: Int32, _ entry: UInt32, _ size: UInt64) throws -> Content {
    if size == 0 { return hasBytes(descriptor) ? .tooShort : .whole }
    var offset: UInt64 = 0
    var nextSign = Limits.transferSignInterval
    var hashes = present[entry] ?? []
    // Blocks of which the receiver has something are sent with their holes.
    while let known = hashes.takeFirst(TransferFrame.hashLength), offset < size {
      let count = Int(min(UInt64(Limits.transferBlockLength), size - offset))
      let own = hash.hash(descriptor, offset: offset, count: count)
      if own.map(known.elementsEqual) != true {
        let content = try sendBytes(of: descriptor, entry, offset..<offset + UInt64(count))
        guard content == .whole else { return content }
      }
      offset += UInt64(count)
      if offset >= nextSign {
        nextSign += Limits.transferSignInterval
        // Hashing a large file takes long, and the receiver must not take this side for one that hangs.
        try socket.send(.data(entry: entry, offset: offset, bytes: []))
        try socket.flush()
      }
    }
    while offset < size {
      let start = lseek(descriptor, off_t(clamping: offset), 3 /* SEEK_DATA */)
      // Nothing but a hole follows. File systems that do not know holes have none.
      if start < 0, errno == ENXIO { break }
      let next = start < 0 ? offset : UInt64(start)
      let hole = start < 0 ? -1 : lseek(descriptor, start, 4 /* SEEK_HOLE */)
      let end = hole < 0 ? size : min(size, UInt64(hole))
      guard next < size else { break }
      let content = try sendBytes(of: descriptor, entry, next..<max(next, end))
      guard content == .whole else { return content }
      offset = max(end, next + 1)
    }
    return .whole
  }

  /// Whether a file that says that it is empty is not. The kernel has such files.
  private func hasBytes(_ descriptor: Int32) -> Bool {
    var byte: UInt8 = 0
    return pread(descriptor, &byte, 1, 0) == 1
  }

  private func sendBytes(of descriptor: Int32, _ entry: UInt32, _ range: Range<UInt64>) throws -> Content {
    var offset = range.lowerBound
    while offset < range.upperBound {
      if refused.contains(entry) { return .tooShort }
      let count = Int(min(UInt64(Self.transferPieceLength), range.upperBound - offset))
      var failed = false
      let sent = try socket.sendData(entry: entry, offset: offset, atMost: count) { buffer in
        while true {
          let read = pread(descriptor, buffer.baseAddress, buffer.count, off_t(clamping: offset))
          if read < 0, errno == EINTR { continue }
          failed = read < 0
          return max(0, read)
        }
      }
      if failed { return .unreadable }
      if sent == 0 { return .tooShort }
      offset += UInt64(sent)
    }
    return .whole
  }
}

extension stat {
  /// Whether a file was not written in between.
  fileprivate func isSameContent(as other: stat) -> Bool {
    st_size == other.st_size && FileTime(self) == FileTime(other) && st_ctim.tv_sec == other.st_ctim.tv_sec
      && st_ctim.tv_nsec == other.st_ctim.tv_nsec
  }
}
