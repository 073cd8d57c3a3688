import Activity
import Dispatch
import EventLoop
import Glibc
import JSONCoding
import Synchronization
import Systemd
import Transfers

/// The user's transfers on the disk: a file for each. They are written in order, and the loop waits for no disk.
@Loop
final class TransferStore {
  private let directory: String
  private let log: Log
  /// Those whose last state could not be written.
  private let unsaved = Mutex<Set<ActivityID>>([])
  private let writing = DispatchQueue(label: "io.baton.Transfers.write")

  /// The maximum length of a file in bytes.
  private static let length = 256 * 1024
  private static let suffix = ".json"

  init(_ directory: String, log: Log) { (self.directory, self.log) = (directory, log) }

  /// Reads everything. What cannot be read is left where it is.
  func read() -> [Transfer] {
    var transfers: [Transfer] = []
    for name in Folder.names(in: directory, limit: Self.limit) where name.hasSuffix(Self.suffix) {
      let file = RegularFile("\(directory)/\(name)", length: Self.length, followsLinks: false)
      guard let file, let json = try? JSON(parsing: file.bytes, depth: 8), let transfer = Transfer(json: json),
        name == "\(transfer.id)\(Self.suffix)"
      else {
        log.warning("A transfer cannot be read", ["file": "\(directory)/\(name)"])
        continue
      }
      transfers.append(transfer)
    }
    return transfers
  }

  /// The maximum number of files that are read.
  private static let limit = 1000

  func save(_ transfer: Transfer) {
    let path = path(transfer.id)
    writing.async { [self, log] in
      do throws(SystemError) {
        try Self.write(transfer.json.bytes, path)
        unsaved.withLock { _ = $0.remove(transfer.id) }
      } catch {
        unsaved.withLock { _ = $0.insert(transfer.id) }
        log.warning("A transfer cannot be saved: \(error)", ["transfer": transfer.id.description])
      }
    }
  }

  func erase(_ id: ActivityID) {
    let path = path(id)
    writing.async { unlink(path) }
  }

  /// Calls a closure on another thread once everything until now was written.
  func afterwards(_ body: @escaping @Sendable () -> Void) { writing.async(execute: body) }

  /// The same, unless what is known of the transfer could not be written.
  func onceSaved(_ id: ActivityID, _ body: @escaping @Sendable () -> Void) {
    writing.async { [self] in if !unsaved.withLock({ $0.contains(id) }) { body() } }
  }

  /// - Parameter completion: Called once everything until now was written.
  func finish(_ completion: @escaping @Loop () -> Void) {
    writing.async {
      Task { @Loop in completion() }
    }
  }

  private func path(_ id: ActivityID) -> String { "\(directory)/\(id)\(Self.suffix)" }

  private nonisolated static func write(_ bytes: [UInt8], _ path: String) throws(SystemError) {
    for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
    let temporary = "\(path).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError("open \(temporary)") }
    defer { close(descriptor) }
    try Descriptor.write(bytes[...], to: descriptor)
    guard fdatasync(descriptor) == 0 else { throw SystemError("fdatasync") }
    guard Glibc.rename(temporary, path) == 0 else { throw SystemError("rename") }
  }
}
