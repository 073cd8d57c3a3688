// SPDX-License-Identifier: Apache-2.0

import Activity
import Dispatch
import EventLoop
import Handoff
import JSONCoding
import Systemd
import Teams

/// A small file in the state directory that holds a list of objects and is replaced as a whole. A file that could not
/// be read is not overwritten. It is written on a queue of its own, and the loop waits for no disk.
@Loop
final class AddressFile {
  /// The maximum size in bytes of the file of remembered addresses, and of the file of static peers: 1,024 entries with
  /// IDs and twelve addresses.
  nonisolated static let addressFileLength = 1024 * 1024

  /// The most changes of users that wait or are being made.
  private static let share = Share(ofAll: 64)

  let name: String
  let directory: String
  let log: Log
  /// Whether the existing file could not be read, for a reason that may be temporary.
  private var isUnread = false
  private let writing: DispatchQueue
  /// The change that was begun last, and how many of each user wait or are being made.
  private var last: Task<Void, Never>?
  private var waiting: [UserID: Int] = [:]

  init(name: String, directory: String, log: Log) {
    self.name = name
    self.directory = directory
    self.log = log
    writing = DispatchQueue(label: "io.baton.\(name).write")
  }

  private var path: String { "\(directory)/\(name)" }

  /// - Returns: Nothing if there is no such file, or if it cannot be read. A damaged file is set aside.
  func read() -> [JSON] {
    do throws(StorageError) {
      let bytes = try Files.read(path, limit: Self.addressFileLength)
      guard let list = (try? JSON(parsing: bytes, depth: 4))?.array else { throw StorageError("read", path, code: 0) }
      return list
    } catch  where error.isMissing {
      return []
    } catch {
      isUnread = true
      log.error("Can't read peers' addresses", ["error": "\(error)"])
      if error.isDamage { setAside() }
      return []
    }
  }

  private func setAside() {
    do throws(StorageError) {
      log.error("Renamed an unreadable file", ["file": try Files.setAside(path)])
      isUnread = false
    } catch {
      log.error("Can't rename an unreadable file", ["error": "\(error)"])
    }
  }

  /// Makes a change when those before it have been made, so that each sees what the others have written.
  ///
  /// - Parameter user: Who waits for it. Nil if the daemon changes something for itself, which is bounded elsewhere.
  /// - Throws: `limitReached` if too many wait, or what the change throws.
  func change<Success: Sendable>(
    for user: UserID? = nil,
    _ change: @escaping @Loop () async throws(Reason) -> Success
  ) async throws(Reason) -> Success {
    if let user {
      let own = waiting[user] ?? 0
      guard Self.share.allows(user, own: own, all: waiting.values.reduce(0, +)) else { throw .limitReached }
      waiting[user] = own + 1  // Checked: below the limit.
    }
    defer { if let user { ended(user) } }
    let before = last
    let made = Loop.begin { () -> Result<Success, Reason> in
      await before?.value
      do throws(Reason) { return .success(try await change()) } catch { return .failure(error) }
    }
    last = Loop.begin { _ = await made.value }
    return try await made.value.get()
  }

  private func ended(_ user: UserID) {
    guard let own = waiting[user] else { return }
    waiting[user] = own > 1 ? own - 1 : nil
  }

  /// Returns when all changes until now have been made.
  func finish() async { await last?.value }

  /// Replaces the content, and returns when it is on the disk. Call it in ``change(_:)``.
  ///
  /// - Throws: `Reason.storageFailed`; also if the existing file could not be read.
  func write(_ list: [JSON]) async throws(Reason) {
    do throws(StorageError) {
      guard !isUnread else { throw StorageError("write", path, because: "its old content couldn't be read") }
      let bytes = JSON.array(list).bytes
      guard bytes.count <= Self.addressFileLength else { throw StorageError("write", path, because: "it's full") }
      try await write(bytes).get()
    } catch {
      log.error("Can't write peers' addresses", ["error": "\(error)"])
      throw .storageFailed
    }
  }

  private func write(_ bytes: [UInt8]) async -> Result<Void, StorageError> {
    await withCheckedContinuation { continuation in
      writing.async { [path, directory] in
        continuation.resume(
          returning: Result { () throws(StorageError) in try Files.write(bytes, to: path, in: directory) }
        )
      }
    }
  }
}

/// A Team ID as files have it.
enum TeamDigits: MemberCoding {
  static func decode(_ json: JSON?) -> TeamID? { json?.string.flatMap(Base32.decode).flatMap { TeamID(bytes: $0) } }
  static func encode(_ team: TeamID) -> JSON? { .string(team.text) }
}

extension TeamID {
  /// All 52 base-32 digits, as files have them.
  var text: String { Base32.encode(bytes) }
}
