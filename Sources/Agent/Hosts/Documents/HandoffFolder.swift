// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Desktop
import EventLoop
import Glibc

/// The folder `~/Handoff`, where files arrive that were not on this machine. It can be a link of the user's own, for
/// example to another disk. An existing file is never overwritten, and no link in the folder is followed.
package struct HandoffFolder: Sendable {
  package let path: String
  private let hidesFiles: Bool

  /// - Parameter hidesFiles: Whether to behave as if the file system did not support unnamed files.
  package init(_ path: String = "\(DocumentPlaces.current.home)/Handoff", hidesFiles: Bool = false) {
    (self.path, self.hidesFiles) = (path, hidesFiles)
  }

  /// Whether a file is in the folder: it may have been fetched, so nobody here has written what it says.
  package func contains(_ file: String) -> Bool {
    if PathComponents.path(file, below: path) != nil { return true }
    // The home directory can be a link, and git and shared folders have its other name.
    guard let file = Self.real(file), let folder = Self.real(path) else { return false }
    return PathComponents.path(file, below: folder) != nil
  }

  static func real(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(validatingCString: real)
  }

  /// The path of the folder, which is made if necessary, without the user's own link.
  private func place() throws(DocumentStreamError) -> String {
    var status = stat()
    guard mkdir(path, 0o700) != 0, lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
    guard let real = Self.real(path) else {
      // The disk may not be there.
      let error = errno
      throw .system(SystemError("\(path), a symlink to \(Self.target(of: path))", error))
    }
    let programs = ProcessEnvironment.current["PATH"]?.split(atScalar: ":").map(String.init) ?? []
    let parent = PathComponents.parent(path)
    let objection = ObeyedFolder.objection(to: real, home: Self.real(parent) ?? parent, others: programs)
    guard status.st_uid == geteuid(), objection == nil else {
      let reason = objection.map { " (\($0))" } ?? ""
      throw .system(SystemError("\(path), a symlink to \(real)\(reason)", EPERM))
    }
    return real
  }

  private static func target(of link: String) -> String {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(link, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// The maximum number of files with the same name.
  private static let copies = 1000

  /// Fetches the document of an activity into the folder.
  ///
  /// - Parameters:
  ///   - descriptor: The stream, whose other end serves the document. It stays open.
  ///   - name: The name on the other machine, or its path. It is made harmless.
  ///   - progress: Called with the number of bytes that have arrived, and of all.
  ///   - begin: Called with what the other machine says about the document.
  /// - Returns: The path of the new file. It is complete, and has the size and the hash that were announced.
  package func fetch(
    _ request: DocumentRequest = .document,
    over descriptor: Int32,
    name: String,
    limit: Int = DocumentStream.largestDocument,
    progress: (_ count: Int, _ size: Int) -> Void = { _, _ in },
    begin: (DocumentHeader) -> Void = { _ in }
  ) throws(DocumentStreamError) -> String {
    let file = try ArrivingFile(in: try place(), isHidden: hidesFiles)
    var size = 0
    var count = 0
    _ = try DocumentStream.fetch(
      request,
      over: descriptor,
      limit: limit,
      begin: { header throws(DocumentStreamError) in
        size = header.size
        try file.checkSpace(size)
        begin(header)
      },
      write: { part throws(DocumentStreamError) in
        try file.write(part)
        count += part.count
        progress(count, size)
      }
    )
    let name = HandoffName(name)
    return try file.publish((1...Self.copies).lazy.map(name.text))
  }
}
