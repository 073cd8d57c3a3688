import Documents
import EventLoop
import Glibc

/// The folder `~/Handoff`, where files arrive that were not on this machine. An existing file is never overwritten, and
/// no link is followed.
package struct HandoffFolder: Sendable {
  package let path: String

  package init(_ path: String = "\(DocumentPlaces.current.home)/Handoff") { self.path = path }

  /// The space that stays free on the disk, in bytes.
  private static let reserve = 64 << 20
  /// The maximum number of files with the same name.
  private static let copies = 1000

  /// Fetches the document of an activity into the folder.
  ///
  /// - Parameters:
  ///   - descriptor: The stream, whose other end serves the document. It stays open.
  ///   - name: The name on the other machine, or its path. It is made harmless.
  ///   - progress: Called with the number of bytes that have arrived, and of all.
  /// - Returns: The path of the new file. It is complete, and has the size and the hash that were announced.
  package func fetch(
    _ request: DocumentRequest = .document,
    over descriptor: Int32,
    name: String,
    limit: Int = DocumentStream.largestDocument,
    progress: (_ count: Int, _ size: Int) -> Void = { _, _ in }
  ) throws(DocumentStreamError) -> String {
    let directory = try open()
    defer { close(directory) }
    let temporary = ".baton-\(UInt64.random(in: .min ... .max)).part"
    // As other programs make files: readable for others if the user's mask allows that. Our folder is not.
    let file = openat(directory, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw .system(SystemError(path)) }
    defer {
      close(file)
      // Nothing is there if the file has its name.
      unlinkat(directory, temporary, 0)
    }
    var size = 0
    var count = 0
    _ = try DocumentStream.fetch(
      request,
      over: descriptor,
      limit: limit,
      begin: { header throws(DocumentStreamError) in
        size = header.size
        try checkSpace(directory, size)
      },
      write: { part throws(DocumentStreamError) in
        try write(part, to: file)
        count += part.count
        progress(count, size)
      }
    )
    guard fsync(file) == 0 else { throw .system(SystemError(path)) }
    return try give(HandoffName(name), to: temporary, in: directory)
  }

  private func open() throws(DocumentStreamError) -> Int32 {
    mkdir(path, 0o700)
    let directory = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard directory >= 0 else { throw .system(SystemError(path)) }
    return directory
  }

  private func checkSpace(_ directory: Int32, _ size: Int) throws(DocumentStreamError) {
    var status = statvfs()
    guard fstatvfs(directory, &status) == 0 else { return }
    let (free, isHuge) = UInt(status.f_bavail).multipliedReportingOverflow(by: UInt(status.f_frsize))
    if !isHuge, UInt(size) + UInt(Self.reserve) > free { throw .system(SystemError(path, ENOSPC)) }
  }

  private func write(_ bytes: ArraySlice<UInt8>, to file: Int32) throws(DocumentStreamError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { throw .system(SystemError(path)) }
    }
  }

  private func give(_ name: HandoffName, to file: String, in directory: Int32) throws(DocumentStreamError) -> String {
    for attempt in 1...Self.copies {
      let text = name.text(attempt)
      if Descriptor.rename(file, toNew: text, in: directory) == 0 { return "\(path)/\(text)" }
      // File systems without RENAME_NOREPLACE have hard links, which never replace a file either.
      if errno == EINVAL, linkat(directory, file, directory, text, 0) == 0 { return "\(path)/\(text)" }
      guard errno == EEXIST else { throw .system(SystemError(path)) }
    }
    throw .system(SystemError(path, EEXIST))
  }
}
