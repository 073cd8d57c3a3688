// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

extension FileReceiver {
  /// Whether a file arrives as one that can be run. What is at the top does not, as nothing does that a browser
  /// downloads: file managers start a program without a question, and its name and icon can be those of a photo.
  ///
  /// In a folder, each file is what it was, except for desktop entries, which show the name and icon that is in them.
  func canBeRun(_ index: UInt32, _ entry: TransferEntry) -> Bool {
    guard case .file(_, isExecutable: true) = entry.kind else { return false }
    return Self.isProgram(entry.path) && !notRun.contains(index)
  }

  /// The files that have another name under which nobody may run them.
  static func notRun(_ entries: [TransferEntry]) -> Set<UInt32> {
    var files: Set<UInt32> = []
    for entry in entries where !isProgram(entry.path) {
      if case .hardLink(let file) = entry.kind { files.insert(file) }
    }
    return files
  }

  private static func isProgram(_ path: TransferPath) -> Bool {
    let name = path.lastName.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return path.depth > 1 && ![".desktop", ".kdelnk"].contains { name.reversed().starts(with: $0.utf8.reversed()) }
  }

  /// Of an earlier attempt, the file may have been one that everybody reads or nobody runs, or the other way around.
  func setMode(_ descriptor: Int32, isExecutable: Bool, isPrivate: Bool) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return }
    let readable = status.st_mode & (isPrivate ? 0o600 : 0o666)
    // Whoever may read it may run it.
    let mode = isExecutable ? readable | (readable & 0o444) >> 2 : readable
    if mode != status.st_mode & 0o7777 { fchmod(descriptor, mode) }
  }

  /// Marks a file or a folder as one of another machine, and sets its time. Each has the mark, because somebody can
  /// move it out of the folder that it arrives in.
  func mark(_ descriptor: Int32, _ modified: FileTime) {
    ArrivalMark.set(on: descriptor)
    setTime(descriptor, modified)
  }

  func setTime(_ descriptor: Int32, _ time: FileTime) {
    var times = [timespec(), timespec()]
    // UTIME_OMIT, which Glibc declares as an expression that Swift does not see: when it was read stays as it is.
    times[0].tv_nsec = (1 << 30) - 2
    times[1] = timespec(tv_sec: time_t(time.seconds), tv_nsec: Int(time.nanoseconds))
    // Not every file system keeps every time.
    futimens(descriptor, times)
  }

  /// Whether an error says that the file system does not take the name.
  func isName(_ code: Int32) -> Bool { [EINVAL, EILSEQ, ENAMETOOLONG, EPROTO].contains(code) }
}
