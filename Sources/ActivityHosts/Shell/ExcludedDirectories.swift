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
    lists += ShellFolder.own?.exclusions(home: home) ?? []
    return ExcludedDirectories(lists.contains(nil) ? nil : lists.flatMap { $0 ?? [] })
  }

  /// Blocks.
  func contains(_ directory: String) -> Bool {
    guard let paths else { return true }
    guard !paths.isEmpty else { return false }
    // A directory whose links cannot be resolved may be in any of them.
    guard let real = Self.resolved(directory) else { return true }
    return DirectoryExclusion.applies(to: [directory, real], excluded: paths)
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }
}

extension ShellFolder {
  /// Returns the exclusions of each shell that is running; nil for those of a shell that cannot be read.
  fileprivate func exclusions(home: String?) -> [[String]?] {
    names().compactMap { Int32($0) }.filter { kill($0, 0) == 0 }.map { shell in
      read(shell, limit: ShellReport.length).flatMap { ShellReport.exclusions($0, home: home) }
    }
  }
}
