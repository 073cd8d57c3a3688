// SPDX-License-Identifier: Apache-2.0

import Glibc

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable, CustomStringConvertible {
  /// 4 or 16 bytes.
  package let bytes: [UInt8]
  package let port: UInt16
  /// Interface index of an IPv6 link-local address; 0 otherwise.
  package let scope: UInt32

  /// - Parameter bytes: 4 or 16 bytes. For any other length, the result is nil.
  package init?(bytes: [UInt8], port: UInt16, scope: UInt32 = 0) {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    self.bytes = bytes
    self.port = port
    self.scope = scope
  }

  /// Parses a numeric address: `192.0.2.1`, `2001:db8::1`, `fe80::1%eth0`.
  package init?(numericHost host: String, port: UInt16) {
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICHOST
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, nil, &hints, &list) == 0, let list else { return nil }
    defer { freeaddrinfo(list) }
    self.init(list.pointee.ai_addr)
    // The system accepts an interface with any IPv6 address, but returns it only with link-local ones.
    self = SocketAddress(unchecked: bytes, port: port, scope: isLinkLocal ? scope : 0)
  }

  /// Converts an address from the system's form. The result is nil for other address families.
  package init?(_ address: UnsafePointer<sockaddr>?) {
    switch address.map({ Int32($0.pointee.sa_family) }) {
    case AF_INET:
      guard let address else { return nil }
      let inet = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
      self.init(bytes: withUnsafeBytes(of: inet.sin_addr) { Array($0) }, port: UInt16(bigEndian: inet.sin_port))
    case AF_INET6:
      guard let address else { return nil }
      let inet = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
      self.init(
        bytes: withUnsafeBytes(of: inet.sin6_addr) { Array($0) },
        port: UInt16(bigEndian: inet.sin6_port),
        scope: inet.sin6_scope_id
      )
    default: return nil
    }
  }

  package func with(port: UInt16) -> SocketAddress { SocketAddress(unchecked: bytes, port: port, scope: scope) }

  private init(unchecked bytes: [UInt8], port: UInt16, scope: UInt32) {
    self.bytes = bytes
    self.port = port
    self.scope = scope
  }

  /// The IPv4 address in an IPv4-mapped one (::ffff:192.0.2.1), which a listener for both versions sees.
  var unmapped: SocketAddress {
    guard isIPv6, bytes.prefix(12) == Array(repeating: 0, count: 10) + [0xFF, 0xFF] else { return self }
    return SocketAddress(unchecked: Array(bytes.suffix(4)), port: port, scope: 0)
  }

  package var isIPv6: Bool { bytes.count == 16 }

  /// 127.0.0.0/8 or ::1.
  package var isLoopback: Bool { isIPv6 ? bytes == Array(repeating: 0, count: 15) + [1] : bytes[0] == 127 }

  /// fe80::/10.
  package var isLinkLocal: Bool { isIPv6 && bytes[0] == 0xFE && bytes[1] & 0xC0 == 0x80 }

  /// Whether one host can have this address: it is not unspecified, multicast or broadcast.
  package var isUnicast: Bool {
    guard bytes.contains(where: { $0 != 0 }) else { return false }
    return isIPv6 ? bytes[0] != 0xFF : bytes[0] < 224
  }

  /// What identifies one source of connections: the address, or the /64 of an IPv6 address, because one host may have
  /// all of it. Link-local addresses are not grouped, because all hosts on the link share the same /64.
  package var source: [UInt8] { isIPv6 && !isLinkLocal ? Array(bytes.prefix(8)) : bytes }

  package func withSystemForm<R>(_ body: (UnsafePointer<sockaddr>, socklen_t) throws -> R) rethrows -> R {
    if isIPv6 {
      var address = sockaddr_in6()
      address.sin6_family = sa_family_t(AF_INET6)
      address.sin6_port = port.bigEndian
      address.sin6_scope_id = scope
      withUnsafeMutableBytes(of: &address.sin6_addr) { $0.copyBytes(from: bytes) }
      return try Self.pass(&address, body)
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    withUnsafeMutableBytes(of: &address.sin_addr) { $0.copyBytes(from: bytes) }
    return try Self.pass(&address, body)
  }

  private static func pass<T, R>(
    _ address: inout T,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> R
  ) rethrows
    -> R
  {
    try withUnsafePointer(to: &address) { pointer in
      try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try body($0, socklen_t(MemoryLayout<T>.size)) }
    }
  }

  /// The address without its port: `192.0.2.1`, `fe80::1%eth0`.
  package var host: String {
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    inet_ntop(isIPv6 ? AF_INET6 : AF_INET, bytes, &text, socklen_t(text.count))
    let address = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self)
    guard scope != 0 else { return address }
    var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
    guard if_indextoname(scope, &name) != nil else { return "\(address)%\(scope)" }
    return "\(address)%\(String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(truncatingIfNeeded:)), as: UTF8.self))"
  }

  package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
