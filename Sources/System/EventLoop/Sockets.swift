// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Functions that make sockets. These are non-blocking and close-on-exec, and the caller must close them.
package enum Sockets {
  private static let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)

  /// Binds and listens on a TCP port, on all addresses of both IP versions, or only of IPv4 if there is no IPv6.
  ///
  /// - Parameter port: 0 for any free port.
  /// - Throws: `SystemError`. Its code is `EADDRINUSE` if another program has the port.
  package static func listen(port: UInt16, backlog: Int32 = 64) throws(SystemError) -> Int32 {
    var descriptor = socket(AF_INET6, flags, 0)
    let isIPv6 = descriptor >= 0
    if !isIPv6 { descriptor = socket(AF_INET, flags, 0) }
    guard descriptor >= 0 else { throw SystemError("socket") }
    set(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
    if isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
    let any = SocketAddress(bytes: Array(repeating: 0, count: isIPv6 ? 16 : 4), port: port)
    let result = any?.withSystemForm { bind(descriptor, $0, $1) } ?? -1
    guard result == 0, Glibc.listen(descriptor, backlog) == 0 else {
      let error = SystemError("bind port \(port)")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Starts a TCP connection. It is established when the descriptor becomes writable and ``error(of:)`` is nil.
  package static func connect(to address: SocketAddress) throws(SystemError) -> Int32 {
    let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, flags, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    guard address.withSystemForm({ Glibc.connect(descriptor, $0, $1) }) == 0 || errno == EINPROGRESS else {
      let error = SystemError("connect \(address)")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Returns the socket's pending error, which says how an attempt to connect failed; nil if there is none.
  package static func error(of descriptor: Int32) -> Int32? {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { return errno }
    return code == 0 ? nil : code
  }

  /// Binds and listens on a path, which must not exist.
  ///
  /// - Parameter mode: The permissions of the socket's file.
  package static func listen(path: String, mode: mode_t, backlog: Int32 = 1024) throws(SystemError) -> Int32 {
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    // The file gets its mode before anyone can connect: connecting needs listen().
    guard withUnixAddress(path, { bind(descriptor, $0, $1) }) == 0, chmod(path, mode) == 0,
      Glibc.listen(descriptor, backlog) == 0
    else {
      let error = SystemError("bind \(path)")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Returns the path that a Unix socket is bound to; nil if it is bound to none.
  package static func path(of descriptor: Int32) -> String? {
    var address = sockaddr_un()
    var length = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let bytes = withUnsafeBytes(of: address.sun_path) { Array($0.prefix { $0 != 0 }) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Connects to a listening Unix socket, without blocking.
  ///
  /// - Throws: `SystemError`. Its code is `EAGAIN` if the listener's queue is full.
  package static func connect(path: String) throws(SystemError) -> Int32 {
    let descriptor = socket(AF_UNIX, flags, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    guard withUnixAddress(path, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let error = SystemError("connect \(path)")
      close(descriptor)
      throw error
    }
    return descriptor
  }

  /// Whether a program listens on a Unix socket. A socket of another kind, such as a system log's, is in use as well.
  package static func isAnswered(path: String) throws(SystemError) -> Bool {
    do {
      close(try connect(path: path))
      return true
    } catch {
      switch error.code {
      case ENOENT, ECONNREFUSED: return false
      case EAGAIN, EPROTOTYPE: return true
      default: throw error
      }
    }
  }

  /// Returns the user who was at the other end of a Unix socket when it connected (SO_PEERCRED). The result is nil if
  /// the kernel cannot name the user, because unmapped users must not count as one user.
  package static func peerUser(of descriptor: Int32) -> uid_t? {
    var credentials = (pid: pid_t(0), uid: uid_t.max, gid: gid_t.max)  // struct ucred, which Glibc does not export
    let size = socklen_t(MemoryLayout.size(ofValue: credentials))
    var length = size
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0,
      length == size, credentials.uid != uid_t.max, credentials.uid != 65534
    else { return nil }
    return credentials.uid
  }

  /// Whether root or this process's own user is at the other end of a Unix socket. After su, the environment may lead
  /// to the sockets of another user, and who owns a folder says nothing.
  package static func isBelieved(_ descriptor: Int32) -> Bool {
    peerUser(of: descriptor).map { $0 == 0 || $0 == geteuid() } ?? false
  }

  /// The number of bytes that the kernel keeps of what a socket's other end has not read; nil for no socket
  /// (SO_SNDBUF, socket(7)).
  package static func sendBuffer(of descriptor: Int32) -> Int32? {
    var length: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &length, &size) == 0 else { return nil }
    return length
  }

  /// Limits what the kernel keeps, as ``sendBuffer(of:)`` counts it. The kernel raises a limit below some 4 KiB and
  /// lowers one above its own.
  package static func setSendBuffer(of descriptor: Int32, _ length: Int32) {
    // The kernel doubles what it's given, for what it needs itself.
    var half = length / 2
    setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &half, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Receives like `recv(2)`, but leaves what follows the first `end` in the socket.
  package static func receive(
    upTo end: UInt8,
    from descriptor: Int32,
    into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    let count = recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_PEEK))
    guard count > 0 else { return count }
    let length = buffer[..<count].firstIndex(of: end).map { $0 + 1 } ?? count
    return recv(descriptor, buffer.baseAddress, length, 0)
  }

  package static func isSocket(_ descriptor: Int32) -> Bool {
    var (type, length): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
    return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &length) == 0
  }

  /// Closes a descriptor that no `Readiness` owns.
  package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Closes a TCP connection immediately with RST. The kernel keeps nothing of it.
  package static func reset(_ descriptor: Int32) {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close(descriptor)
  }

  /// Returns the address where a TCP connection comes from.
  package static func peerAddress(of descriptor: Int32) -> SocketAddress? {
    address { getpeername(descriptor, $0, $1) }
  }

  /// Returns the local address of a TCP socket.
  package static func localAddress(of descriptor: Int32) -> SocketAddress? {
    address { getsockname(descriptor, $0, $1) }
  }

  /// Whether a TCP socket is connected to a port of this host, at any of its addresses.
  package static func isWithinHost(_ descriptor: Int32, port: UInt16) -> Bool {
    guard let peer = peerAddress(of: descriptor), peer.port == port else { return false }
    return peer.isLoopback || peer.bytes == localAddress(of: descriptor)?.bytes
  }

  private static func address(
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) -> SocketAddress? {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        call(address, &length) == 0 ? SocketAddress(address)?.unmapped : nil
      }
    }
  }

  /// Makes small frames go out immediately, and the kernel notice within 25 s that a network is gone.
  package static func configurePeerConnection(_ descriptor: Int32) {
    let tcp = Int32(IPPROTO_TCP)
    set(descriptor, tcp, TCP_NODELAY, 1)
    set(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(descriptor, tcp, TCP_KEEPIDLE, 10)
    set(descriptor, tcp, TCP_KEEPINTVL, 5)
    set(descriptor, tcp, TCP_KEEPCNT, 3)
    set(descriptor, tcp, TCP_USER_TIMEOUT, 25_000)
  }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// The most bytes that the path of a Unix socket can have. Its address ends with a NUL.
  package static var pathLength: Int { MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1 }

  /// - Returns: -1 with `ENAMETOOLONG` if the path does not fit into a Unix address.
  private static func withUnixAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    guard bytes.count <= pathLength else {
      errno = ENAMETOOLONG
      return -1
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
