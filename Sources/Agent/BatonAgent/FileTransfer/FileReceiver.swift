// SPDX-License-Identifier: Apache-2.0

import Activity
import CLinux
import Desktop
import EventLoop
import Glibc

/// Receives files through one stream (ActivityTypes.md, "The files stream"), on the thread that calls it.
package final class FileReceiver {
  private let socket: TransferSocket
  let control: TransferControl
  let staging: StagingFolder
  let allowance: Allowance
  private(set) var manifest = Manifest()
  var result = Result()
  private(set) var isDone: [Bool] = []
  /// Those that are not written here.
  private(set) var leftOut: [UInt32: OmittedReason] = [:]
  /// Whether this attempt or an earlier one has made it. What has its name otherwise is another entry, because the file
  /// system does not tell the names apart.
  private var isMade: [Bool] = []
  private(set) var notRun: Set<UInt32> = []
  /// The file that is being written.
  private var file: (entry: UInt32, descriptor: Int32)?
  private var received: UInt64 = 0
  /// The number of bytes that the files may have in the end: files can grow after they were announced.
  private var limit: UInt64 = 0
  private var budget = ReceiverBudget(limit: 0, entries: 0)
  /// The number of bytes that may be written before the free space is looked at again.
  private var unchecked: UInt64 = 0
  private var reported = ContinuousClock.now
  private static let reportInterval = Duration.milliseconds(100)
  /// The number of bytes between two looks at the free space.
  private static let spaceInterval: UInt64 = 16 << 20

  private init(_ socket: TransferSocket, _ staging: StagingFolder, _ allowance: Allowance, _ control: TransferControl) {
    (self.socket, self.staging, self.allowance, self.control) = (socket, staging, allowance, control)
  }

  deinit { if let file { close(file.descriptor) } }

  /// Receives everything, and gives it its final names. What has arrived stays in the staging folder if the stream ends
  /// early, for the next attempt. Afterwards, the caller removes it, once it knows for good that the transfer is done.
  ///
  /// - Parameters:
  ///   - descriptor: A non-blocking socket. It stays open.
  ///   - control: Stops the transfer, and gets its progress.
  package static func receive(
    over descriptor: Int32,
    into staging: StagingFolder,
    _ allowance: Allowance,
    _ control: TransferControl
  ) throws(TransferStop) -> Result {
    let socket = TransferSocket(descriptor, control)
    let receiver = FileReceiver(socket, staging, allowance, control)
    do {
      if let arrival = staging.arrival {
        receiver.result.omitted = arrival.omitted
        receiver.result.paths = try staging.publish(asked: arrival.asked)
      } else {
        try receiver.run()
      }
      socket.end(nil, omitted: receiver.result.omitted)
      return receiver.result
    } catch let stop as TransferStop {
      if case .failed(let failure) = stop { socket.end(failure) }
      throw stop
    } catch let failure as TransferFailure {
      socket.end(failure)
      throw .failed(failure)
    } catch let error as SystemError {
      let failure = TransferFailure(error)
      control.update { $0.error = error }
      socket.end(failure)
      throw .failed(failure)
    } catch {
      socket.end(.protocolViolation)
      throw .failed(.protocolViolation)
    }
  }

  /// Gives the files of a transfer that has arrived their names, if an agent was killed before that.
  ///
  /// - Returns: Nil if it has not arrived.
  package static func finish(in target: String, transfer: String) throws(SystemError) -> Finished? {
    guard StagingFolder.transfers(in: target).contains(transfer) else { return nil }
    let staging = try StagingFolder(in: target, transfer: transfer)
    guard let arrival = staging.arrival else { return nil }
    return Finished(paths: try staging.publish(asked: arrival.asked), arrival: arrival)
  }

  /// Tells the origin how a transfer ended, because it does not know.
  ///
  /// - Parameters:
  ///   - failure: Nil if everything has arrived.
  ///   - omitted: How many were left out.
  package static func answer(_ failure: TransferFailure?, omitted: Int = 0, over descriptor: Int32) {
    let socket = TransferSocket(descriptor, TransferControl())
    socket.end(failure, omitted: omitted)
  }

  private func run() throws {
    // However it ends, this much counts.
    defer {
      let received = received
      control.update { $0.received = received }
    }
    try socket.send(.request(version: TransferFrame.version))
    try socket.flush()
    try hearWhatComes()
    try prepare()
    control.update { $0.stage = .moving }
    while true {
      switch try socket.next() {
      case .data(let entry, let offset, let bytes): try write(entry, offset, bytes)
      case .frame(.data): break
      case .frame(.fileEnd(let entry, let size, let modified)):
        try budget.take(0)
        try finish(entry, size, modified)
      case .frame(.omitted(let entry, let reason)):
        try budget.take(0)
        try leaveOut(entry, reason, isTold: false)
      case .frame(.end): return try complete()
      case .frame(.finished(let failure, _)): throw TransferStop.failed(failure ?? .protocolViolation)
      case .frame: throw MalformedTransfer("an unexpected frame")
      }
      try report()
    }
  }

  /// Tells how much is there, several times per second.
  func report() throws {
    guard ContinuousClock.now - reported >= Self.reportInterval else { return }
    reported = .now
    let received = received
    control.update { $0.received = received }
    try socket.send(.received(received))
    try socket.flush()
  }

  // MARK: What comes

  private func hearWhatComes() throws {
    while true {
      switch try socket.next() {
      case .frame(.entries(let entries)):
        guard !entries.isEmpty else { throw MalformedTransfer("no entries") }
        for entry in entries { try manifest.add(entry) }
      case .frame(.entriesEnd(let end)):
        guard Int(end.count) == manifest.entries.count, end.size == manifest.size else {
          throw MalformedTransfer("entries are missing")
        }
        result.omitted = Int(end.omitted)
        return try check(end)
      case .frame(.finished(let failure, _)): throw TransferStop.failed(failure ?? .protocolViolation)
      case .frame, .data: throw MalformedTransfer("an unexpected frame")
      }
    }
  }

  private func check(_ end: TransferFrame.EntriesEnd) throws {
    guard end.size <= allowance.size else { throw TransferFailure.tooLarge }
    let count = manifest.entries.count { !$0.isFolder }
    control.update { ($0.size, $0.count) = (end.size, count) }
    // Before it counts, because this can fail, and what is here of earlier attempts stays then.
    try checkSpace(for: end)
    let names = manifest.entries.filter { $0.path.depth == 1 }.map { $0.path.text + ($0.isFolder ? "/" : "") }
    let announced = Announced(names: names, size: end.size, count: count, entries: manifest.entries.count)
    if let failure = allowance.admit(announced) { throw failure }
    isDone = manifest.entries.map { _ in false }
    isMade = isDone
    notRun = Self.notRun(manifest.entries)
    // Offsets are signed. Checked: twice 2^63 and a bit is not reached.
    limit = min(allowance.size, end.size + Limits.transferGrowth(of: end.size), UInt64(Int64.max))
    budget = ReceiverBudget(limit: limit, entries: manifest.entries.count)
  }

  private func checkSpace(for end: TransferFrame.EntriesEnd) throws {
    if let free = staging.freeEntries(beside: allowance.reserve) {
      let (available, isHuge) = free.addingReportingOverflow(StagedContent.count(of: staging.folder))
      guard isHuge || UInt64(clamping: manifest.entries.count) <= available else { throw TransferFailure.diskFull }
    }
    guard let free = staging.freeSpace else { return }
    let needed = end.stored.addingReportingOverflow(allowance.reserve)
    let (available, isHuge) = free.addingReportingOverflow(StagedContent.size(of: staging.folder))
    guard !needed.overflow, isHuge || needed.partialValue <= available else { throw TransferFailure.diskFull }
  }

  /// Makes the folders, and says what is here from an earlier attempt.
  private func prepare() throws {
    StagedContent.removeAll(in: staging.folder) { path, kind in
      guard let index = self.manifest.index(of: path), let entry = self.manifest[index] else { return true }
      switch (entry.kind, kind) {
      case (.file, .file), (.folder, .folder):
        self.isMade[Int(index)] = true
        return false
      default: return true
      }
    }
    let hash = BlockHash()
    for (index, entry) in manifest.entries.enumerated() {
      switch entry.kind {
      case .folder: try makeFolder(UInt32(index), entry)
      case .file: try tellPresence(UInt32(index), entry, hash)
      case .link, .hardLink: break
      }
      try report()
    }
    try socket.send(.go)
    try socket.flush()
  }

  private func makeFolder(_ index: UInt32, _ entry: TransferEntry) throws {
    let parent = try openParent(of: entry)
    defer { if parent >= 0 { close(parent) } }
    guard parent >= 0 else { return try leaveOut(index, .nameNotPossible, isTold: true) }
    if mkdirat(parent, entry.path.lastName.cPath, entry.isPrivate ? 0o700 : 0o777) == 0 {
      isMade[Int(index)] = true
      return try checkSpace(ReceivedVolumes.entrySize)
    }
    // Two folders whose names are not told apart become one.
    guard errno != EEXIST else { return }
    guard isName(errno) else { throw SystemError("mkdir") }
    try leaveOut(index, .nameNotPossible, isTold: true)
  }

  /// - Returns: -1 if it was left out.
  func openParent(of entry: TransferEntry) throws -> Int32 {
    guard !hasNoFolder(entry.path) else { return -1 }
    let path = entry.path.parent?.bytes ?? []
    let parent = Descriptor.openBeneath(staging.folder, path, pathOnly | O_DIRECTORY)
    if parent < 0 { throw SystemError("open") }
    return parent
  }

  private func tellPresence(_ index: UInt32, _ entry: TransferEntry, _ hash: BlockHash) throws {
    guard isMade[Int(index)] else { return }
    let descriptor = Descriptor.openBeneath(staging.folder, entry.path.bytes, O_RDWR | O_NONBLOCK)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.isFile else { return }
    // A file can have any number of holes, which are not worth the time.
    let stored = UInt64(clamping: status.st_blocks).multipliedReportingOverflow(by: 4 * 512).partialValue
    let size = min(UInt64(clamping: status.st_size), entry.size, stored.addingReportingOverflow(256 << 20).partialValue)
    var block: UInt32 = 0
    var hashes: [UInt8] = []
    var offset: UInt64 = 0
    while offset < size {
      let count = min(UInt64(Limits.transferBlockLength), entry.size - offset)
      guard offset + count <= size, let own = hash.hash(descriptor, offset: offset, count: Int(count)) else { break }
      hashes += own
      offset += count
      // What is here counts as received, until it turns out to differ.
      received += count
      if hashes.count == Limits.transferHashes * TransferFrame.hashLength
        || ContinuousClock.now - reported >= Self.reportInterval
      {
        try socket.send(.present(entry: index, block: block, hashes: hashes[...]))
        block += UInt32(hashes.count / TransferFrame.hashLength)
        hashes = []
        try report()
      }
    }
    if !hashes.isEmpty { try socket.send(.present(entry: index, block: block, hashes: hashes[...])) }
    // The origin knows nothing about the rest, so it would not fill the holes there with zeros.
    guard ftruncate(descriptor, off_t(offset)) == 0 else { throw SystemError("ftruncate") }
    presentLength[index] = offset
  }

  /// The number of bytes of each file that the origin was told about.
  private var presentLength: [UInt32: UInt64] = [:]

  // MARK: Files

  private func write(_ entry: UInt32, _ offset: UInt64, _ bytes: UnsafeRawBufferPointer) throws {
    try budget.take(bytes.count)
    guard let known = manifest[entry], case .file = known.kind, !isDone[Int(entry)] else {
      // What this side has left out may still be on its way.
      guard leftOut[entry] != nil else { throw MalformedTransfer("data for an unknown file") }
      return
    }
    guard let descriptor = try open(entry, known) else { return }
    if bytes.isEmpty {
      // Otherwise, the origin only says that it is there.
      guard offset == 0 else { return }
      guard ftruncate(descriptor, 0) == 0 else { throw SystemError("ftruncate") }
      received -= min(received, presentLength[entry] ?? 0)
      presentLength[entry] = 0
      return
    }
    let (end, overflow) = offset.addingReportingOverflow(UInt64(bytes.count))
    guard !overflow, end <= limit else { throw TransferFailure.tooLarge }
    var written = 0
    while written < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset) + written)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError("write") }
      written += count
    }
    try checkSpace(UInt64(bytes.count))
    let before = presentLength[entry] ?? 0
    if end > before {
      // Holes count, too.
      received += end - before
      presentLength[entry] = end
      try checkGrowth()
    }
  }

  private func checkGrowth() throws {
    guard received <= limit else { throw TransferFailure.tooLarge }
  }

  /// Looks at the free space now and then, and makes the disk begin with what was written, before all wait for it.
  ///
  /// - Parameter count: The number of bytes that were written.
  private func checkSpace(_ count: UInt64) throws {
    guard count >= unchecked else { return unchecked -= count }
    unchecked = Self.spaceInterval
    if let file { clinux_begin_writing(file.descriptor) }
    if let free = staging.freeSpace, free < allowance.reserve { throw TransferFailure.diskFull }
    if staging.freeEntries(beside: allowance.reserve) == 0 { throw TransferFailure.diskFull }
  }

  /// Opens the file, unless it is open. Nil if it is left out.
  private func open(_ entry: UInt32, _ known: TransferEntry) throws -> Int32? {
    if let file, file.entry == entry { return file.descriptor }
    closeFile()
    guard !hasNoFolder(known.path) else {
      try leaveOut(entry, .nameNotPossible, isTold: true)
      return nil
    }
    let flags = O_WRONLY | O_NOFOLLOW | O_NONBLOCK | (isMade[Int(entry)] ? 0 : O_CREAT | O_EXCL)
    // As other programs make files. The other machine says whether it is private.
    let mode: mode_t = known.isPrivate ? 0o700 : 0o777
    let bits = canBeRun(entry, known) ? mode : mode & 0o666
    let descriptor = Descriptor.openBeneath(staging.folder, known.path.bytes, flags, mode: bits)
    guard descriptor >= 0 else {
      guard isName(errno) || errno == EEXIST else { throw SystemError("open") }
      try leaveOut(entry, .nameNotPossible, isTold: true)
      return nil
    }
    file = (entry, descriptor)
    if !isMade[Int(entry)] {
      isMade[Int(entry)] = true
      try checkSpace(ReceivedVolumes.entrySize)
    }
    return descriptor
  }

  func closeFile() {
    if let file { close(file.descriptor) }
    file = nil
  }

  private func finish(_ entry: UInt32, _ size: UInt64, _ modified: FileTime) throws {
    guard let known = manifest[entry], case .file = known.kind else {
      throw MalformedTransfer("the end of an unknown file")
    }
    guard !isDone[Int(entry)] else {
      guard leftOut[entry] != nil else { throw MalformedTransfer("a file ends twice") }
      return
    }
    guard size <= limit else { throw TransferFailure.tooLarge }
    guard let descriptor = try open(entry, known) else { return }
    guard ftruncate(descriptor, off_t(size)) == 0 else { throw SystemError("ftruncate") }
    setMode(descriptor, isExecutable: canBeRun(entry, known), isPrivate: known.isPrivate)
    mark(descriptor, modified)
    clinux_begin_writing(descriptor)
    closeFile()
    isDone[Int(entry)] = true
    let before = presentLength[entry] ?? 0
    if size > before { received += size - before } else { received -= min(received, before - size) }
    presentLength[entry] = nil
    try checkGrowth()
    control.update { $0.files += 1 }
  }

  /// - Parameter isTold: Whether the origin has to be told.
  func leaveOut(_ entry: UInt32, _ reason: OmittedReason, isTold: Bool) throws {
    guard let known = manifest[entry] else { throw MalformedTransfer("an omission of an unknown file") }
    guard !isDone[Int(entry)] else { return }
    isDone[Int(entry)] = true
    leftOut[entry] = reason
    received -= min(received, presentLength.removeValue(forKey: entry) ?? 0)
    if file?.entry == entry { closeFile() }
    let parent = isMade[Int(entry)] ? try openParent(of: known) : -1
    if parent >= 0 {
      StagingFolder.remove(known.path.lastName, in: parent, depth: known.path.depth)
      close(parent)
    }
    result.omitted += 1
    if result.omissions.count < Limits.transferOmissions { result.omissions.append(Omission(known.path, reason)) }
    control.update { if !known.isFolder { $0.files += 1 } }
    if isTold { try socket.send(.omitted(entry: entry, reason)) }
  }
}
