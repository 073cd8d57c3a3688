// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Folders that machines share under one name, each at its own path. So a file URL points at the same document when it
/// arrives (ControlInterface.md, "Files"). Only text is processed; no file is opened or searched for.
package struct SharedFolders: Equatable, Sendable {
  /// The maximum number of folders that a machine shares: as many as one user may have teams.
  package static let sharedFolders = 16
  /// The maximum length of a shared folder's name in bytes, like that of a device's name.
  private static let sharedFolderNameLength = 63
  /// The maximum length of a shared folder's path in bytes. A `userInfo` that contains only URLs of shared folders is
  /// about 350 kB when it is delivered with each byte percent-encoded. That fits in `Limits.controlSendQueueLength`.
  package static let sharedFolderPathLength = 1024

  private struct Folder: Equatable {
    let name: String
    /// The path's components as bytes. The root has none.
    let components: [[UInt8]]
  }

  /// Why a folder cannot be shared, in words.
  package struct Fault: Error, Equatable, Sendable, CustomStringConvertible {
    package let description: String
  }

  private static let scheme = "baton-folder:"
  /// The folders with the longest path first. Among equally long ones, the one that was added first comes first.
  private var folders: [Folder] = []

  package init() {}

  /// Shares the folder at `path` as `name`.
  ///
  /// - Throws: `Fault`.
  package mutating func add(_ name: String, at path: String) throws(Fault) {
    guard (1...Self.sharedFolderNameLength).contains(name.utf8.count), name.utf8.allSatisfy(Self.isNamed),
      name != ".", name != ".."
    else {
      let limit = Self.sharedFolderNameLength
      throw Fault(
        description:
          "a folder's name must have 1 to \(limit) letters, digits, \".\", \"_\" or \"-\", not \(Self.quoted(name))"
      )
    }
    guard !folders.contains(where: { $0.name == name }) else {
      throw Fault(description: "the folder \(name) is listed twice")
    }
    guard folders.count < Self.sharedFolders else {
      throw Fault(description: "at most \(Self.sharedFolders) folders can be shared")
    }
    let components = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
    guard path.utf8.first == UInt8(ascii: "/"), path.utf8.count <= Self.sharedFolderPathLength,
      components.allSatisfy(URLPath.isSafe)
    else {
      let limit = Self.sharedFolderPathLength
      throw Fault(
        description:
          "a folder's path must be absolute, without \"..\" and at most \(limit) bytes long, not \(Self.quoted(path))"
      )
    }
    let index = folders.firstIndex { $0.components.count < components.count } ?? folders.endIndex
    folders.insert(Folder(name: name, components: components), at: index)
  }

  /// Returns the text in quotes, on one line, and no longer than a line.
  private static func quoted(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))).debugDescription
  }

  /// Stops sharing the folder. Does nothing if it was not shared.
  package mutating func remove(_ name: String) { folders.removeAll { $0.name == name } }

  /// The names and paths, sorted by name.
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

  /// Translates a `userInfo` of this machine's programs into the form that is sent: file URLs in shared folders become
  /// folder URLs. Anything that is not a `userInfo` is returned unchanged.
  package func outward(_ userInfo: JSON) -> JSON { Self.mapURLs(in: userInfo, outward) }

  /// Translates a `userInfo` that was received, for programs of this machine: folder URLs become file URLs. The result
  /// may be longer than `Limits.userInfoLength`.
  package func inward(_ userInfo: JSON) -> JSON { Self.mapURLs(in: userInfo, inward) }

  private static func mapURLs(in userInfo: JSON, _ map: (String) -> String) -> JSON {
    (try? UserInfoValue(json: userInfo))?.mappingURLs(map).json ?? userInfo
  }

  // MARK: URLs

  /// Returns the folder URL of a file URL. Any other URL, and one in no shared folder, is returned unchanged.
  package func outward(_ url: String) -> String {
    guard let path = URLPath(ofFile: url),
      let folder = folders.first(where: { path.names.starts(with: $0.components) })
    else { return url }
    return "\(Self.scheme)/\(path.text(after: folder.components.count, of: [folder.name]))"
  }

  /// A place in a shared folder of this machine.
  package struct Place: Equatable, Sendable {
    /// The folder's name.
    package let name: String
    /// The folder's path.
    package let root: String
    /// The path below it, without components such as `..`. Empty for the folder itself.
    package let path: String
  }

  /// Returns where a file URL points, if that is in a shared folder and is text.
  package func place(of url: String) -> Place? {
    guard let path = URLPath(ofFile: url),
      let folder = folders.first(where: { path.names.starts(with: $0.components) })
    else { return nil }
    let names = path.names.dropFirst(folder.components.count).filter { !$0.isEmpty }
    let texts = names.compactMap { String(validating: $0, as: UTF8.self) }
    guard texts.count == names.count, let root = all.first(where: { $0.name == folder.name })?.path else { return nil }
    return Place(name: folder.name, root: root, path: texts.joined(separator: "/"))
  }

  /// Returns the file URL of a folder URL. Whatever a peer wrote, the result is in that folder. Any other URL is
  /// returned unchanged.
  package func inward(_ url: String) -> String {
    guard let path = URLPath(url, scheme: Self.scheme),
      let folder = folders.first(where: { path.names.first == Array($0.name.utf8) })
    else { return url }
    return "file:///\(path.text(after: 1, of: folder.components.map(PercentEncoding.encode)))"
  }
}

extension UserInfoValue {
  /// Returns the value with each URL in it replaced, also in keys. If two elements of a set, or two keys of a
  /// dictionary, would become equal, these elements or keys stay as they are.
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
