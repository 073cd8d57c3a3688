import Activity
import Continuation
import JSONCoding
import Systemd
import Teams

/// A small file in the state directory that holds a list of objects and is replaced as a whole. A file that could not
/// be read is not overwritten.
struct AddressFile {
  let name: String
  let directory: String
  let log: Log
  /// Whether the existing file could not be read, for a reason that may be temporary.
  private var isUnread = false

  init(name: String, directory: String, log: Log) {
    self.name = name
    self.directory = directory
    self.log = log
  }

  private var path: String { "\(directory)/\(name)" }

  /// - Returns: Nothing if there is no such file, or if it cannot be read. A damaged file is set aside.
  mutating func read() -> [JSON] {
    do throws(StorageError) {
      let bytes = try Files.read(path, limit: Limits.addressFileLength)
      guard let list = (try? JSON(parsing: bytes, depth: 4))?.array else { throw StorageError("read", path, code: 0) }
      return list
    } catch  where error.isMissing {
      return []
    } catch {
      isUnread = true
      log.error("Peers' addresses cannot be read", ["error": "\(error)"])
      if error.isDamage { setAside() }
      return []
    }
  }

  private mutating func setAside() {
    do throws(StorageError) {
      log.error("An unreadable file was renamed", ["file": try Files.setAside(path)])
      isUnread = false
    } catch {
      log.error("An unreadable file cannot be renamed", ["error": "\(error)"])
    }
  }

  /// - Throws: `Reason.storageFailed`; also if the existing file could not be read.
  func write(_ list: [JSON]) throws(Reason) {
    do throws(StorageError) {
      guard !isUnread else { throw StorageError("write", path, because: "its old content could not be read") }
      let bytes = JSON.array(list).bytes
      guard bytes.count <= Limits.addressFileLength else { throw StorageError("write", path, because: "it is full") }
      try Files.write(bytes, to: path, in: directory)
    } catch {
      log.error("Peers' addresses cannot be written", ["error": "\(error)"])
      throw .storageFailed
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
