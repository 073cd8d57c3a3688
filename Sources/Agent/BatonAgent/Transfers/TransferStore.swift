// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Dispatch
import EventLoop
import Glibc
import JSONCoding
import Synchronization
import Systemd

/// The user's transfers on the disk: a file for each. They are written in order, and the loop waits for no disk.
@Loop
final class TransferStore {
  private let directory: String
  private let log: Log
  /// Those whose last state could not be written.
  private let unsaved = Mutex<Set<ActivityID>>([])
  private let writing = DispatchQueue(label: "io.baton.Transfers.write")

  /// The maximum length of a file in bytes. The names of what is sent came in one message.
  private nonisolated static let length = Limits.agentMessageLength + 256 * 1024
  private static let suffix = ".json"

  init(_ directory: String, log: Log) { (self.directory, self.log) = (directory, log) }

  /// Reads everything. What cannot be read is left where it is.
  ///
  /// - Returns: The transfers, and whether they are all that there are.
  func read() -> (transfers: [Transfer], areAll: Bool) {
    var transfers: [Transfer] = []
    let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return ([], errno == ENOENT) }
    let names = Folder.list(descriptor, limit: Self.limit)
    var areAll = names.map { $0.count < Self.limit } ?? false
    for name in (names ?? []).map({ String(decoding: $0, as: UTF8.self) }) where name.ends(withBytesOf: Self.suffix) {
      let file = RegularFile("\(directory)/\(name)", length: Self.length, followsLinks: false)
      guard let file, let json = try? JSON(parsing: file.bytes, depth: 8), let transfer = Transfer(json: json),
        name == "\(transfer.id)\(Self.suffix)"
      else {
        log.warning("Can't read a transfer", ["file": "\(directory)/\(name)"])
        areAll = false
        continue
      }
      transfers.append(transfer)
    }
    return (transfers, areAll)
  }

  /// The maximum number of files that are read.
  private static let limit = 1000

  /// Beside the transfers, because no transfer displaces it.
  private var volumesPath: String { "\(directory)/../received.json" }

  /// Nil if there is no account that can be read.
  func readVolumes() -> ReceivedVolumes? {
    guard access(volumesPath, F_OK) == 0 else { return nil }
    let file = RegularFile(volumesPath, length: Self.volumesLength, followsLinks: false)
    let volumes = file.flatMap { try? JSON(parsing: $0.bytes, depth: 8) }.flatMap(ReceivedVolumes.init(json:))
    if volumes == nil { log.warning("Quotas start from zero, because \(volumesPath) is damaged") }
    return volumes
  }

  /// In bytes. There are 145 periods of a machine.
  private static let volumesLength = 16 << 20

  func save(_ volumes: ReceivedVolumes) {
    let path = volumesPath
    writing.async { [log] in
      do throws(SystemError) { try RegularFile.replace(path, with: volumes.json.bytes) } catch {
        log.warning("Can't save the volumes that count towards quotas: \(error)")
      }
    }
  }

  func save(_ transfer: Transfer) {
    let path = path(transfer.id)
    writing.async { [self, log] in
      do throws(SystemError) {
        let bytes = transfer.json.bytes
        guard bytes.count <= Self.length else { throw SystemError("write \(path)", EFBIG) }
        try RegularFile.replace(path, with: bytes)
        unsaved.withLock { _ = $0.remove(transfer.id) }
      } catch {
        unsaved.withLock { _ = $0.insert(transfer.id) }
        log.warning("Can't save a transfer: \(error)", ["transfer": transfer.id.description])
      }
    }
  }

  func erase(_ id: ActivityID) {
    let path = path(id)
    writing.async { [self] in
      unlink(path)
      unsaved.withLock { _ = $0.remove(id) }
    }
  }

  /// Calls a closure once everything until now was written.
  ///
  /// - Parameter completion: Gets whether what is known of the transfer could be written.
  func whenSaved(_ id: ActivityID, _ completion: @escaping @Loop (Bool) -> Void) {
    writing.async { [self] in
      let isSaved = !unsaved.withLock { $0.contains(id) }
      Task { @Loop in completion(isSaved) }
    }
  }

  /// - Parameter completion: Called once everything until now was written.
  func finish(_ completion: @escaping @Loop () -> Void) {
    writing.async {
      Task { @Loop in completion() }
    }
  }

  private func path(_ id: ActivityID) -> String { "\(directory)/\(id)\(Self.suffix)" }
}
