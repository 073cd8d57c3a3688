import EventLoop
import Glibc
import Transfers

extension FileReceiver {
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
