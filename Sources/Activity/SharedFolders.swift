import JSON

/// Folders that several machines have under one name, each at a path of its own, so that a file URL arrives pointing at
/// the same document (ControlInterface.md, "Files"). It is all about text: nothing is opened or looked for.
package struct SharedFolders: Equatable, Sendable {
  private struct Folder: Equatable {
    let name: String
    /// The path's components as bytes; none for the root.
    let components: [[UInt8]]
  }

  /// Why a folder cannot be shared, in words.
  package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  private static let scheme = "baton-folder:"
  /// The longest path first, and of equally long ones what was added first.
  private var folders: [Folder] = []

  package init() {}

  /// Shares the folder at `path` as `name`.
  ///
  /// - Throws: `Fault`.
  package mutating func add(_ name: String, at path: String) throws(Fault) {
    guard (1...Limits.sharedFolderNameLength).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNamed),
      name != ".", name != ".."
    else {
      let limit = Limits.sharedFolderNameLength
      throw Fault(
        description:
          "a folder's name is 1 to \(limit) letters, digits, \".\", \"_\" and \"-\", not \(Self.quoted(name))"
      )
    }
    guard !folders.contains(where: { $0.name == name }) else {
      throw Fault(description: "the folder \(name) was named before")
    }
    guard folders.count < Limits.sharedFolders else {
      throw Fault(description: "at most \(Limits.sharedFolders) folders are shared")
    }
    let components = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= Limits.sharedFolderPathLength,
      components.allSatisfy(URLPath.isSafe)
    else {
      let limit = Limits.sharedFolderPathLength
      throw Fault(
        description:
          "a folder's path is absolute, without \"..\" and at most \(limit) bytes, not \(Self.quoted(path))"
      )
    }
    let index = folders.firstIndex { $0.components.count < components.count } ?? folders.endIndex
    folders.insert(Folder(name: name, components: components), at: index)
  }

  /// In quotes, on one line, and not longer than a line.
  private static func quoted(_ text: String) -> String { String(text.prefix(60)).debugDescription }

  /// Shares the folder no more; nothing happens where it was not.
  package mutating func remove(_ name: String) { folders.removeAll { $0.name == name } }

  /// Names and paths, in the order of names.
  package var all: [(name: String, path: String)] {
    folders.sorted { $0.name < $1.name }.map { folder in
      let names = folder.components.map { String(decoding: $0, as: UTF8.self) }
      return (folder.name, "/" + names.joined(separator: "/"))
    }
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-".utf8.contains(byte)
  }

  // MARK: Whole userInfos

  /// A `userInfo` of this machine's programs as it travels: file URLs in shared folders become folder URLs. What is no
  /// `userInfo` is left as it is.
  package func outward(_ userInfo: JSON) -> JSON { Self.mapURLs(in: userInfo, outward) }

  /// A `userInfo` that travelled, for programs of this machine: folder URLs become file URLs. It may be longer than
  /// `Limits.userInfoLength` then.
  package func inward(_ userInfo: JSON) -> JSON { Self.mapURLs(in: userInfo, inward) }

  private static func mapURLs(in userInfo: JSON, _ map: (String) -> String) -> JSON {
    (try? UserInfoValue(json: userInfo))?.mappingURLs(map).json ?? userInfo
  }

  // MARK: URLs

  /// The folder URL of a file URL; any other URL, and one in no shared folder, as it is.
  package func outward(_ url: String) -> String {
    guard let path = URLPath(ofFile: url),
      let folder = folders.first(where: { path.names.starts(with: $0.components) })
    else { return url }
    return "\(Self.scheme)/\(path.text(after: folder.components.count, of: [folder.name]))"
  }

  /// The file URL of a folder URL, which is in that folder whatever a peer wrote; any other URL as it is.
  package func inward(_ url: String) -> String {
    guard let path = URLPath(url, scheme: Self.scheme),
      let folder = folders.first(where: { path.names.first == Array($0.name.utf8) })
    else { return url }
    return "file:///\(path.text(after: 1, of: folder.components.map(PercentEncoding.encode)))"
  }
}

extension UserInfoValue {
  /// The value with each URL in it replaced, also in keys. Elements of a set, or keys of a dictionary, of which two would
  /// become one stay as they are.
  fileprivate func mappingURLs(_ map: (String) -> String) -> UserInfoValue {
    switch self {
    case .url(let text): return .url(map(text))
    case .array(let elements): return .array(elements.map { $0.mappingURLs(map) })
    case .set(let elements):
      let mapped = Set(elements.map { $0.mappingURLs(map) })
      return .set(mapped.count == elements.count ? mapped : elements)
    case .dictionary(let pairs):
      let values = pairs.mapValues { $0.mappingURLs(map) }
      let mapped = Dictionary(values.map { ($0.key.mappingURLs(map), $0.value) }) { first, _ in first }
      return .dictionary(mapped.count == values.count ? mapped : values)
    default: return self
    }
  }
}
