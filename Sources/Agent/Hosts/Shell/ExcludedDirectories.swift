// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import EventLoop
import Glibc

/// Directories of this machine of which nothing is told.
struct ExcludedDirectories: Sendable {
  /// With and without symbolic links. Nil if nobody knows them.
  private let paths: [String]?

  /// Blocks.
  ///
  /// - Parameter paths: Absolute paths. Nil if they cannot be read: then every directory is excluded.
  init(_ paths: [String]?) { self.paths = paths.map { $0 + $0.compactMap(Self.resolved) } }

  /// What `BATON_EXCLUDE` lists for this process, and in each of the user's shells that has the hook. Blocks.
  static var ofThisUser: ExcludedDirectories {
    let environment = ProcessEnvironment.current
    let home = environment["HOME"]
    var lists = [DirectoryExclusion.paths(environment["BATON_EXCLUDE"] ?? "", home: home)]
    lists += ShellFolder.own?.exclusions ?? []
    return ExcludedDirectories(lists.contains(nil) ? nil : lists.flatMap { $0 ?? [] })
  }

  /// Whether the directory is excluded, by whatever name: through links, in another mount, or in other letters where
  /// they mean the same. Blocks.
  func contains(_ directory: String) -> Bool {
    guard let paths else { return true }
    guard !paths.isEmpty else { return false }
    // A directory whose links cannot be resolved may be in any of them.
    guard let real = Self.resolved(directory),
      let mounts = RegularFile("/proc/self/mountinfo", length: Self.mountsLength).map({ MountTable($0.bytes) })
    else { return true }
    if DirectoryExclusion.applies(to: [directory, real] + mounts.names(of: real), excluded: paths) { return true }
    let excluded = Set(paths.compactMap { FileBeneath($0, "")?.identity })
    return Self.parents(of: real).contains { FileBeneath($0, "").map { excluded.contains($0.identity) } ?? false }
  }

  /// The maximum length of the list of mounts in bytes.
  private static let mountsLength = 4 << 20

  /// The directory, and all that it is in.
  private static func parents(of directory: String) -> [String] {
    let names = PathComponents.split(directory)
    return (0...names.count).reversed().map { "/" + names.prefix($0).joined(separator: "/") }
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}

extension ShellFolder {
  /// Returns the exclusions of each shell that is running; nil for those of a shell that cannot be read.
  fileprivate var exclusions: [[String]?] {
    names().compactMap { Int32($0) }.filter { kill($0, 0) == 0 }.map { shell in
      read(shell, limit: ShellReport.length).flatMap { ShellReport.exclusions($0) }
    }
  }
}
