// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// The descriptors that this process has open.
package enum Descriptors {
  /// Returns each open descriptor with the kernel's name for it.
  package static func list() -> [Int32: String] {
    guard let directory = opendir("/proc/self/fd") else { return [:] }
    defer { closedir(directory) }
    var names: [Int32: String] = [:]
    while let entry = readdir(directory) {
      // Decode in place, because a copy of the whole name would read past the end of the buffer.
      let name = withUnsafeMutableBytes(of: &entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard let number = Int32(name), number != dirfd(directory) else { continue }
      var target = [CChar](repeating: 0, count: 256)
      let count = readlink("/proc/self/fd/\(name)", &target, target.count)
      let text = String(decoding: target.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
      // One is opened with the first timer. Otherwise, only `ClockWatch` opens one.
      if text != "anon_inode:[timerfd]" { names[number] = text }
    }
    return names
  }

  package static var count: Int { list().count }

  /// Makes the loop open what it keeps for the life of the process, so that it is not counted as a leak.
  package static func settle() throws {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { throw TestFailure("socketpair") }
    let (near, far) = (ends[0], ends[1])
    let fired = Outcome<Bool>()
    try onLoop {
      // The test may have installed its own clock already.
      let clock = Loop.clock
      defer { Loop.clock = clock }
      Loop.clock = SystemClock()
      let readiness = Readiness(owning: near)
      let timer = Timer { fired.set(.success(true)) }
      timer.set(Loop.now + .milliseconds(1))
      readiness.onReadable = {}
      readiness.isReading = true
      readiness.isWriting = true
      kept = (readiness, timer)
    }
    _ = try fired.wait()
    try onLoop { kept = nil }
    close(far)
    try waitUntil("The warm-up's descriptors are closed") { list()[near] == nil }
  }

  @Loop private static var kept: (Readiness, Timer)?

  /// Ends every TCP connection of this process that uses the port at either end, as a network failure would.
  package static func cutConnections(ofPort port: UInt16) {
    for (descriptor, name) in list() where name.hasPrefix("socket:") {
      guard let far = Sockets.peerAddress(of: descriptor), let near = Sockets.localAddress(of: descriptor),
        far.port == port || near.port == port
      else { continue }
      shutdown(descriptor, Int32(SHUT_RDWR))
    }
  }
}
