// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Glibc

/// Whether files of this machine are offered: their names, those that links lead to, and how they begin.
package struct FilePrivacy {
  private let home: String
  private let temporaryDirectories: [String]
  /// Where the private directories of the home directory are, which can be links, as in a repository of dotfiles.
  private let privateDirectories: [String]
  /// The last answer. An editor says the same path again and again.
  private var known: (path: String, version: FileVersion?, isPrivate: Bool)?

  package init(home: String, temporaryDirectory: String?) {
    self.home = home
    privateDirectories = PrivateFiles.directories.compactMap { Self.real("\(home)/\($0)") }
    let other = temporaryDirectory.flatMap { PathComponents.last($0) == nil ? nil : $0 }
    let named = ["/tmp", "/var/tmp"] + [other].compactMap(\.self)
    // Editors say names without links.
    temporaryDirectories = named + named.compactMap(Self.real).filter { !named.contains($0) }
  }

  /// That of the user of this process.
  package static var current: FilePrivacy {
    FilePrivacy(home: DocumentPlaces.current.home, temporaryDirectory: getenv("TMPDIR").map { String(cString: $0) })
  }

  /// - Parameter path: Absolute. The file need not exist.
  package mutating func isPrivate(_ path: String) -> Bool {
    let version = FileVersion(path)
    if let known, known.path.hasBytes(of: path), known.version == version { return known.isPrivate }
    let isPrivate =
      Self.names(of: path).contains { PrivateFiles.contains($0) || isTemporary($0) || isInPrivateDirectory($0) }
      || Self.isEncrypted(path)
    known = (path, version, isPrivate)
    return isPrivate
  }

  /// The path, and the one without links.
  private static func names(of path: String) -> [String] {
    let directory = PathComponents.parent(path)
    if let real = real(path) { return [path, real] }
    return [path, "\(real(directory) ?? directory)/\(PathComponents.last(path) ?? "")"]
  }

  private static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  /// Whether a program has probably made the file to let a person edit a secret. Such files are directly in a directory
  /// for temporary files, or below a directory there that only one user can access.
  private func isTemporary(_ path: String) -> Bool {
    temporaryDirectories.contains { directory in
      guard let rest = PathComponents.path(path, below: directory) else { return false }
      // A home directory can be anywhere.
      if PathComponents.path(home, below: directory) != nil, PathComponents.path(path, below: home) != nil {
        return false
      }
      let names = PathComponents.split(rest)
      guard names.count > 1 else { return !names.isEmpty }
      var status = stat()
      return stat("\(directory)/\(names[0])", &status) != 0 || status.st_mode & 0o077 == 0
    }
  }

  private func isInPrivateDirectory(_ path: String) -> Bool {
    privateDirectories.contains { PathComponents.path(path, below: $0) != nil }
  }

  private static func isEncrypted(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: PrivateFiles.beginning)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return PrivateFiles.isEncrypted(bytes.prefix(max(0, count)))
  }
}
