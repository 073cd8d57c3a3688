// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A socket that receives multicast DNS on one interface, and the question that was sent there.
struct MulticastSocket {
  private static let port: UInt16 = 5353
  private static let groupIPv4: [UInt8] = [224, 0, 0, 251]
  private static let groupIPv6: [UInt8] = [0xFF, 2] + Array(repeating: 0, count: 13) + [0xFB]

  /// Non-blocking and close-on-exec. The caller must close it.
  let receiver: Int32
  private let question: [UInt8]

  /// Joins the group, and sends the question from a separate socket.
  ///
  /// - Throws: `SystemError`. Its call is `sendto` if only sending failed.
  init(interface: UInt32, isIPv6: Bool) throws(SystemError) {
    question = Self.makeQuestion()
    let bytes = isIPv6 ? Self.groupIPv6 : Self.groupIPv4
    guard let group = SocketAddress(bytes: bytes, port: Self.port, scope: isIPv6 ? interface : 0) else {
      throw SystemError("socket", EINVAL)
    }
    receiver = try Self.open(isIPv6)
    do throws(SystemError) {
      try Self.join(receiver, group, interface)
      let sender = try Self.open(isIPv6)
      defer { Sockets.close(sender) }
      try Self.send(question, from: sender, to: group, interface)
    } catch {
      Sockets.close(receiver)
      throw error
    }
  }

  /// Reads what has arrived, and returns whether the question has come back.
  func hasHeard() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 2048)
    while true {
      let count = recv(receiver, &buffer, buffer.count, 0)
      guard count > 0 else { return false }
      if buffer.prefix(count) == question[...] { return true }
    }
  }

  private static func open(_ isIPv6: Bool) throws(SystemError) -> Int32 {
    let flags = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, flags, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    return descriptor
  }

  /// Binds to the group's own address, next to avahi-daemon. So anything sent to this machine alone still goes to
  /// Avahi.
  private static func join(_ descriptor: Int32, _ group: SocketAddress, _ interface: UInt32) throws(SystemError) {
    var on: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
    guard group.withSystemForm({ bind(descriptor, $0, $1) }) == 0 else { throw SystemError("bind") }
    let result: Int32
    if group.isIPv6 {
      var request = ipv6_mreq()
      withUnsafeMutableBytes(of: &request.ipv6mr_multiaddr) { $0.copyBytes(from: group.bytes) }
      request.ipv6mr_interface = interface
      let size = socklen_t(MemoryLayout<ipv6_mreq>.size)
      result = setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, &request, size)
    } else {
      var request = membership(group, interface)
      result = setsockopt(descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request, membershipSize)
    }
    guard result == 0 else { throw SystemError("setsockopt") }
  }

  private static func send(
    _ bytes: [UInt8],
    from descriptor: Int32,
    to group: SocketAddress,
    _ interface: UInt32
  ) throws(SystemError) {
    var result: Int32
    if group.isIPv6 {
      var index = Int32(bitPattern: interface)
      let size = socklen_t(MemoryLayout<Int32>.size)
      result = setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_MULTICAST_IF, &index, size)
    } else {
      var request = membership(group, interface)
      result = setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &request, membershipSize)
    }
    guard result == 0 else { throw SystemError("setsockopt") }
    let sent = group.withSystemForm { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
    guard sent == bytes.count else { throw SystemError("sendto") }
  }

  private static let membershipSize = socklen_t(MemoryLayout<ip_mreqn>.size)

  private static func membership(_ group: SocketAddress, _ interface: UInt32) -> ip_mreqn {
    var request = ip_mreqn()
    withUnsafeMutableBytes(of: &request.imr_multiaddr) { $0.copyBytes(from: group.bytes) }
    request.imr_ifindex = Int32(bitPattern: interface)
    return request
  }

  /// Makes a question for the TXT record of an instance of our service that does not exist. Its name is random, like
  /// those of real instances.
  private static func makeQuestion() -> [UInt8] {
    let labels = [String(UInt64.random(in: 0...(.max)), radix: 16), "_baton", "_tcp", "local"]
    let number = UInt16.random(in: 0...(.max))
    let header: [UInt8] = [UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]
    return header + labels.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0, 0, 16, 0, 1]
  }
}
