import EventLoop
import Glibc

/// Reports which files of a folder were written (inotify(7)).
@Loop
final class ShellFolderWatch {
  /// Called with a name for each file that was written; with nil if all names must be read again.
  var onWritten: (@Loop (String?) -> Void)?
  /// Called when the folder has been removed. Nothing follows.
  var onRemoved: (@Loop () -> Void)?
  private let readiness: Readiness

  /// The size of `struct inotify_event` before the name, in bytes.
  private static let headLength = 16

  init(_ path: String) throws(SystemError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard descriptor >= 0 else { throw SystemError("inotify_init1") }
    readiness = Readiness(owning: descriptor)
    let mask = UInt32(IN_CLOSE_WRITE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    guard inotify_add_watch(descriptor, path, mask) >= 0 else { throw SystemError("inotify_add_watch \(path)") }
    readiness.onReadable = { [weak self] in self?.readable() }
    readiness.isReading = true
  }

  isolated deinit { readiness.close() }

  private func readable() {
    var names: [String?] = []
    var isRemoved = false
    withUnsafeTemporaryAllocation(byteCount: 16 * 1024, alignment: 8) { buffer in
      let count = read(readiness.descriptor, buffer.baseAddress, buffer.count)
      var position = 0
      while position + Self.headLength <= count {
        let head = UnsafeRawBufferPointer(rebasing: buffer[position..<position + Self.headLength])
        let mask = head.loadUnaligned(fromByteOffset: 4, as: UInt32.self)
        let end = position + Self.headLength + Int(head.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard end <= count else { break }
        let name = buffer[position + Self.headLength..<end].prefix { $0 != 0 }
        if mask & UInt32(IN_Q_OVERFLOW) != 0 {
          names.append(nil)
        } else if mask & UInt32(IN_CLOSE_WRITE) != 0 {
          names.append(String(decoding: name, as: UTF8.self))
        } else {
          isRemoved = true
        }
        position = end
      }
    }
    // A shell that prompts often is looked at once.
    var seen: Set<String?> = []
    for name in names.reversed().filter({ seen.insert($0).inserted }).reversed() { onWritten?(name) }
    if isRemoved { onRemoved?() }
  }
}
