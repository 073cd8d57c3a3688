// SPDX-License-Identifier: Apache-2.0

import Glibc

/// TCP within this machine.
extension Sockets {
  /// Binds and listens on a port of one address.
  ///
  /// - Throws: `SystemError`. Its code is `EADDRINUSE` if another program has the port, and `EACCES` if only root may.
  package static func listen(at address: SocketAddress, backlog: Int32 = 64) throws(SystemError) -> Int32 {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, flags, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    if address.isIPv6 {
      setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
    guard address.withSystemForm({ bind(descriptor, $0, $1) }) == 0, Glibc.listen(descriptor, backlog) == 0 else {
      let error = SystemError("bind \(address)")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// 127.0.0.1 and ::1.
  package static func loopbacks(port: UInt16) -> [SocketAddress] {
    [[127, 0, 0, 1], Array(repeating: 0, count: 15) + [1]].compactMap { SocketAddress(bytes: $0, port: port) }
  }

  /// Makes closing a TCP connection break it, so that the other end does not take what it got for everything.
  package static func abortOnClose(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
  }
}
