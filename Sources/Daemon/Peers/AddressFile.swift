import Activity
import Continuation
import JSON
import Team

/// A small file of the state directory that holds a list of objects, replaced as a whole.
struct AddressFile {
  let name: String
  let directory: String

  private var path: String { "\(directory)/\(name)" }

  /// - Returns: Nothing where there is no such file.
  /// - Throws: `Reason.storageFailed` where there is one, and it cannot be read or is no list.
  func read() throws(Reason) -> [Members] {
    do {
      let json = try JSON(parsing: Files.read(path, limit: Limits.addressFileLength), depth: 4)
      guard let list = json.array else { throw Reason.storageFailed }
      return list.compactMap { $0.object.map(Members.init) }
    } catch let error as StorageError where error.isMissing {
      return []
    } catch {
      throw .storageFailed
    }
  }

  /// - Throws: `Reason.storageFailed`.
  func write(_ list: [JSON]) throws(Reason) {
    do { try Files.write(JSON.array(list).bytes, to: path, in: directory) } catch { throw .storageFailed }
  }
}

extension Members {
  mutating func team(_ name: String) throws(InvalidParameter) -> TeamID {
    try required(name) { $0.string.flatMap(Base32.decode).flatMap { TeamID(bytes: $0) } }
  }
}

extension TeamID {
  /// All 52 base-32 digits, as files have them.
  var text: String { Base32.encode(bytes) }
}
