// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc

/// Looks at the directories below one, the nearest first. It follows no links, stays on the file system, and skips what
/// is hidden. It stops at its limits.
struct DirectoryWalk {
  /// The maximum number of levels below the root.
  let depth: Int
  /// The maximum number of directories and other entries that are looked at.
  private(set) var entries: Int
  let deadline: ContinuousClock.Instant
  /// Whether a limit other than the depth has stopped it.
  private(set) var isStopped = false

  init(depth: Int, entries: Int, deadline: ContinuousClock.Instant) {
    self.depth = depth
    self.entries = entries
    self.deadline = deadline
  }

  /// Whether a directory below another one has something with this name, even a link.
  static func has(_ name: String, _ root: String, _ path: String) -> Bool {
    var status = stat()
    return lstat("\(root)/\(path)/\(name)", &status) == 0 || errno != ENOENT
  }

  /// What is in one directory.
  struct Listing {
    /// The path below the root. Empty for the root.
    let path: String
    let directory: Int32
    /// The names of the files, as far as they are text.
    fileprivate(set) var files: [String] = []
    fileprivate(set) var directories: [String] = []
    fileprivate(set) var hasRepository = false

    func path(of name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
  }

  /// - Parameter visit: Called for each directory, including the root.
  mutating func run(_ root: String, visit: (Listing) -> Void) {
    let rootDirectory = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard rootDirectory >= 0 else { return }
    defer { close(rootDirectory) }
    var level = [""]
    for remaining in (0...depth).reversed() where !isStopped {
      var next: [String] = []
      for path in level {
        guard entries > 0, ContinuousClock.now < deadline else { return isStopped = true }
        let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK
        let descriptor = Descriptor.openBeneath(rootDirectory, path, flags, staysOnFileSystem: true)
        guard descriptor >= 0 else { continue }
        guard let stream = fdopendir(descriptor) else {
          close(descriptor)
          continue
        }
        defer { closedir(stream) }
        var listing = Listing(path: path, directory: descriptor)
        list(stream, &listing)
        visit(listing)
        if remaining > 0 { next += listing.directories.map(listing.path(of:)) }
      }
      level = next
    }
  }

  /// Where the name begins. A `dirent` is as long as its name, so it must not be copied as a whole.
  private static let nameOffset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 19

  private mutating func list(_ stream: OpaquePointer, _ listing: inout Listing) {
    while let entry = readdir(stream) {
      guard entries > 0 else { return isStopped = true }
      entries -= 1
      let text = UnsafeRawPointer(entry).advanced(by: Self.nameOffset).assumingMemoryBound(to: CChar.self)
      guard let name = String(validatingCString: text) else { continue }
      if name == ".git" { listing.hasRepository = true }
      guard !name.starts(withBytesOf: "."), name != "node_modules" else { continue }
      // Old file systems do not say what it is (DT_UNKNOWN).
      let kind = Int32(entry.pointee.d_type)
      if kind == Int32(DT_DIR) || kind == Int32(DT_UNKNOWN) { listing.directories.append(name) }
      if kind == Int32(DT_REG) || kind == Int32(DT_UNKNOWN) { listing.files.append(name) }
    }
  }
}
