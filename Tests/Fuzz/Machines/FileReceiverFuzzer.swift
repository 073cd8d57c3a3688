// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonAgent
import Desktop
import Glibc

/// A receiver of files with a folder of its own, and an origin that says anything, through several streams.
enum FileReceiverFuzzer: Fuzzer {
  static let seeds: [[UInt8]] = [
    // A folder, a file in it, and another file; the end of the entries; bytes, the files' ends, and the end.
    [0, 0, 2, 0, 0, 1, 0, 5, 0, 2, 0, 9, 1, 2, 1, 0, 9, 3, 1, 9, 3, 2, 3, 5],
    // The stream breaks, and the next one goes on with what is there.
    [0, 1, 0, 40, 1, 2, 0, 0, 30, 2, 0, 10, 9, 6, 0, 1, 0, 40, 1, 2, 0, 1, 30, 3, 0, 40, 5],
    // A link, and what is left out.
    [0, 0, 2, 0, 0, 5, 1, 2, 0, 2, 0, 2, 1, 4, 2, 5],
    // A file of almost 2^63 bytes, and an offset behind it.
    [0, 1, 0, 254, 0, 0, 1, 0, 2, 7, 5, 0, 249, 6, 1],
    // Bytes as they are.
    [7, 2, 0, 0, 26, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 97],
  ]

  static let length = 2048

  private static let paths: [String] = [
    "top", "a", "top/a", "top/b", "top/sub", "top/sub/c", "a/x", "top/link", "A", ".baton-incoming", "-", "\n",
    "complete",
  ]
  private static let targets: [String] = ["a", "sub/c", "../a", ".", "./sub", "link"]
  private static let root = makeRoot()

  /// In memory, because what is written is synchronized.
  private static func makeRoot() -> String {
    var template = Array("\(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp")/baton-fuzz-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { fatalError("There is no place for files: \(errno)") }
    let path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    mkdir("\(path)/outside", 0o700)
    rootToRemove = path
    // So few bytes of files, and none outside of the folder, that the folders themselves can be removed.
    atexit {
      rmdir("\(FileReceiverFuzzer.rootToRemove)/there/\(StagingFolder.name)")
      rmdir("\(FileReceiverFuzzer.rootToRemove)/there")
      rmdir("\(FileReceiverFuzzer.rootToRemove)/outside")
      rmdir(FileReceiverFuzzer.rootToRemove)
    }
    return path
  }

  nonisolated(unsafe) private static var rootToRemove = ""

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    let there = "\(root)/there"
    var isDone = false
    for _ in 0..<3 where !isDone && !choices.isOver {
      let staging = try StagingFolder(in: there, transfer: "t")
      isDone = try receive(stream(&choices), staging, there, choices.flag() ? .max : 1 << 30)
      if isDone { staging.remove() }
    }
    StagingFolder.discard(in: there, transfer: "t")
    empty(there)
    hold(names(root).allSatisfy { ["outside", "there"].contains($0) }, "\(names(root))")
    hold(names("\(root)/outside").isEmpty && names(there).isEmpty, "Something is left")
  }

  /// - Returns: Whether everything has arrived.
  private static func receive(
    _ bytes: [UInt8],
    _ staging: StagingFolder,
    _ there: String,
    _ limit: UInt64
  ) throws -> Bool {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { fatalError("socketpair: \(errno)") }
    defer { for end in ends { close(end) } }
    // Everything is there from the beginning, so nothing waits.
    guard send(ends[1], bytes, bytes.count, Int32(MSG_DONTWAIT)) == bytes.count else { fatalError("send: \(errno)") }
    shutdown(ends[1], Int32(SHUT_WR))
    let allowance = FileReceiver.Allowance(size: limit, reserve: 0)
    do throws(TransferStop) {
      let result = try FileReceiver.receive(over: ends[0], into: staging, allowance, TransferControl())
      same(Set(result.paths.map { String(decoding: $0, as: UTF8.self) }).count, result.paths.count)
      same(
        names(there).count { $0 != StagingFolder.name },
        result.paths.count { $0 != Array("\(there)/\(StagingFolder.name)".utf8) }
      )
      for path in result.paths { check(String(decoding: path, as: UTF8.self), limit, depth: 0) }
      return true
    } catch {
      hold(names(there) == [StagingFolder.name], "\(names(there)) after \(error)")
      hold(error != .failed(.folderUnavailable), "The folder is there")
      return false
    }
  }

  /// Checks what has arrived.
  private static func check(_ path: String, _ limit: UInt64, depth: Int) {
    var status = stat()
    guard lstat(path, &status) == 0 else { fatalError("\(path) is not there") }
    let kind = status.st_mode & S_IFMT
    hold(kind == S_IFREG || kind == S_IFDIR || kind == S_IFLNK && depth > 0, "\(path) is special")
    hold(kind == S_IFLNK || status.st_mode & 0o7000 == 0, "\(path) has the mode \(status.st_mode)")
    hold(kind != S_IFREG || status.st_nlink <= paths.count, "\(path) has names elsewhere")
    hold(kind != S_IFREG || UInt64(clamping: status.st_size) <= limit, "\(path) has \(status.st_size) bytes")
    if kind == S_IFDIR { for name in names(path) { check("\(path)/\(name)", limit, depth: depth + 1) } }
  }

  // MARK: The origin

  private static func stream(_ choices: inout Choices) -> [UInt8] {
    var bytes: [UInt8] = []
    var entries: [TransferEntry] = []
    while !choices.isOver, bytes.count < 60_000 {
      switch choices.number(below: 8) {
      case 0:
        entries = (0..<choices.number(below: 6)).compactMap { _ in entry(&choices) }
        TransferFrame.entries(entries).append(to: &bytes)
        let size = entries.reduce(0 as UInt64) { $0.addingReportingOverflow($1.size).partialValue }
        if choices.flag() { continue }
        TransferFrame.entriesEnd(.init(count: UInt32(entries.count), size: size, stored: 0, omitted: 0)).append(
          to: &bytes
        )
      case 1:
        let end = TransferFrame.EntriesEnd(count: UInt32(entries.count), size: number(&choices), stored: 0, omitted: 1)
        TransferFrame.entriesEnd(end).append(to: &bytes)
      case 2:
        let data = [UInt8](repeating: choices.byte(), count: choices.number(below: 200))
        TransferFrame.data(entry: UInt32(choices.byte() & 7), offset: number(&choices), bytes: data[...]).append(
          to: &bytes
        )
      case 3:
        let time = FileTime(seconds: Int64(bitPattern: number(&choices)), nanoseconds: 0)
        TransferFrame.fileEnd(entry: UInt32(choices.byte() & 7), size: number(&choices), modified: time).append(
          to: &bytes
        )
      case 4: TransferFrame.omitted(entry: UInt32(choices.byte() & 7), .changed).append(to: &bytes)
      case 5: TransferFrame.end.append(to: &bytes)
      // The stream breaks.
      case 6: return bytes
      default: bytes += choices.bytes()
      }
    }
    return bytes
  }

  private static func entry(_ choices: inout Choices) -> TransferEntry? {
    let kind: TransferEntry.Kind
    switch choices.number(below: 4) {
    case 0, 1: kind = .file(size: number(&choices) & UInt64(Int64.max), isExecutable: choices.flag())
    case 2: kind = .folder
    default:
      let number = choices.number(below: targets.count + 4)
      // A symbolic link, or a hard link to one of the first entries.
      kind =
        number < targets.count
        ? .link(target: Array(targets[number].utf8)) : .hardLink(file: UInt32(number - targets.count))
    }
    let time = FileTime(seconds: Int64(choices.byte()), nanoseconds: 0)
    return TransferPath(Array(choices.pick(paths).utf8)).map {
      TransferEntry($0, kind, modified: time, isPrivate: time.seconds & 1 == 1)
    }
  }

  private static func number(_ choices: inout Choices) -> UInt64 {
    let small = UInt64(choices.byte())
    return switch small {
    case 0..<200: small
    case 200..<230: (small - 200) * 100_000
    case 230..<250: 1 << (small - 186)
    default: .max - (small - 250)
    }
  }

  // MARK: Files

  private static func names(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func empty(_ path: String) {
    for name in names(path) where unlink("\(path)/\(name)") != 0 {
      empty("\(path)/\(name)")
      rmdir("\(path)/\(name)")
    }
  }
}
