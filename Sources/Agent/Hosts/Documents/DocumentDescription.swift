// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// Makes the reference of a file or a directory.
struct DocumentDescription {
  let reference: DocumentReference

  /// The maximum size of a file whose content is hashed, in bytes: a second's work.
  private static let hashedSize = 512 * 1024 * 1024
  /// The maximum time for hashing.
  private static let hashTime = Duration.seconds(3)

  init(
    _ path: String,
    _ sharedFolders: SharedFolders,
    _ mayBeNew: Bool,
    _ places: DocumentPlaces,
    _ git: GitProgram
  ) throws(SystemError) {
    let given = try Self.absolute(path)
    let real = try Self.realPath(given, mayBeNew: mayBeNew)
    let file = FileBeneath(PathComponents.parent(real), PathComponents.last(real) ?? "")
    var reference = DocumentReference(path: given)
    // Any other URL names nothing on another machine, or another file.
    let paths = [given, real] + Self.paths(of: real, in: sharedFolders)
    reference.url = paths.map(Self.url).first { sharedFolders.place(of: $0) != nil }
    let below = PathComponents.path(given, below: places.home)
    let home = try? Self.realPath(places.home, mayBeNew: false)
    reference.homePath = (below ?? home.flatMap { PathComponents.path(real, below: $0) }).flatMap {
      RelativePath.isValid($0) ? $0 : nil
    }
    if let file, !file.isDirectory {
      reference.size = file.size
      if file.size <= Self.hashedSize { reference.sha256 = file.hash(until: .now + Self.hashTime) }
    }
    let directory = file?.isDirectory == true ? real : PathComponents.parent(real)
    if let clone = git.root(containing: directory), let place = PathComponents.path(real, below: clone.path) {
      let repositories = git.repositories(of: clone.path)
      if !repositories.isEmpty, RelativePath.isValid(place) {
        (reference.repositories, reference.repositoryPath, reference.commit) = (repositories, place, clone.commit)
        CloneList(path: places.cloneList).remember(clone.path)
      }
    }
    self.reference = reference
  }

  /// Returns the path as the user sees it: absolute, without `.`, but with links.
  private static func absolute(_ path: String) throws(SystemError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw SystemError(path, ENOENT) }
    var start = ""
    if !path.starts(withBytesOf: "/") {
      guard let directory = getcwd(nil, 0) else { throw SystemError("getcwd") }
      defer { free(directory) }
      guard let text = String(validatingCString: directory) else { throw SystemError("getcwd", EILSEQ) }
      start = text + "/"
    }
    let names = PathComponents.split(start + path).filter { $0 != "." }
    // Above a link is another directory than its name says.
    if names.contains("..") { return try realPath(start + path, mayBeNew: true) }
    let result = "/" + names.joined(separator: "/")
    guard result.utf8.count <= DocumentReference.pathLength else { throw SystemError(path, ENAMETOOLONG) }
    return result
  }

  private static func realPath(_ path: String, mayBeNew: Bool) throws(SystemError) -> String {
    if let real = Glibc.realpath(path, nil) {
      defer { free(real) }
      guard let text = String(validatingCString: real) else { throw SystemError(path, EILSEQ) }
      return text
    }
    let error = SystemError(path)
    guard mayBeNew, error.code == ENOENT, path != "/", !path.ends(withBytesOf: "/..") else { throw error }
    let directory = try realPath(PathComponents.parent(path), mayBeNew: false)
    return (directory == "/" ? "" : directory) + "/" + (PathComponents.last(path) ?? "")
  }

  /// The paths in the shared folders that contain a file, whose own path has no links. A shared folder can be a link,
  /// or be below one. The smallest folder comes first.
  private static func paths(of real: String, in sharedFolders: SharedFolders) -> [String] {
    let places = sharedFolders.all.compactMap { folder -> (rest: String, path: String)? in
      guard let root = try? realPath(folder.path, mayBeNew: false), let rest = PathComponents.path(real, below: root)
      else { return nil }
      return (rest, rest.isEmpty ? folder.path : "\(folder.path)/\(rest)")
    }
    return places.sorted { $0.rest.utf8.count < $1.rest.utf8.count }.map(\.path)
  }

  private static func url(_ path: String) -> String {
    "file:///" + PathComponents.split(path).map { PercentEncoding.encode(Array($0.utf8)) }.joined(separator: "/")
  }
}
