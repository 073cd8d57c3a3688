import CLinux
import EventLoop
import Glibc

extension [UInt8] {
  /// The bytes with a NUL, for the C library. Paths are bytes that need not be text.
  var cPath: [CChar] { map(CChar.init(bitPattern:)) + [0] }
}

extension Descriptor {
  /// Opens or creates what is below a directory. No part of the path leads out of the directory, or is a symbolic link.
  ///
  /// - Parameters:
  ///   - path: Relative. Empty for the directory itself.
  ///   - flags: Those of open(2). The descriptor is closed on exec in any case.
  ///   - mode: With O_CREAT.
  /// - Returns: -1 with `errno`.
  static func openBeneath(_ directory: Int32, _ path: [UInt8], _ flags: Int32, mode: mode_t = 0) -> Int32 {
    let here = [UInt8(ascii: ".")]
    return clinux_create_beneath(directory, (path.isEmpty ? here : path).cPath, flags | O_CLOEXEC, mode)
  }

  /// Moves a file from one directory to another one, unless the new name exists there.
  ///
  /// - Returns: 0, or -1 with `errno`: EEXIST if the name exists.
  static func rename(_ name: [UInt8], in directory: Int32, toNew other: [UInt8], in otherDirectory: Int32) -> Int32 {
    clinux_move_new(directory, name.cPath, otherDirectory, other.cPath)
  }
}

/// The names in a folder, except `.` and `..`, in the order of their bytes.
///
/// - Parameter descriptor: Of the folder. It is closed.
/// - Returns: Nil if the folder cannot be read.
func names(inFolder descriptor: Int32) -> [[UInt8]]? {
  guard let stream = fdopendir(descriptor) else {
    close(descriptor)
    return nil
  }
  defer { closedir(stream) }
  var names: [[UInt8]] = []
  while let entry = readdir(stream) {
    // The structure is only as long as its name, so it must not be copied.
    let pointer = UnsafeRawPointer(entry) + (MemoryLayout<dirent>.offset(of: \.d_name) ?? 19)
    let name = pointer.assumingMemoryBound(to: UInt8.self)
    let bytes = Array(UnsafeBufferPointer(start: name, count: strlen(pointer.assumingMemoryBound(to: CChar.self))))
    if bytes != Array(".".utf8), bytes != Array("..".utf8) { names.append(bytes) }
  }
  return names.sorted { $0.lexicographicallyPrecedes($1) }
}

/// O_PATH, which Glibc declares for _GNU_SOURCE only.
let pathOnly: Int32 = 0o10000000

extension stat {
  var isFile: Bool { st_mode & S_IFMT == S_IFREG }
  var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  var isLink: Bool { st_mode & S_IFMT == S_IFLNK }
}
