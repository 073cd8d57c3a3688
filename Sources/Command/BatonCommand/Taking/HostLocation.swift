// SPDX-License-Identifier: Apache-2.0

import Glibc

/// Where a host's name leads.
struct HostLocation {
  /// Whether it has addresses, and none of them is one of this machine.
  let isElsewhere: Bool

  init(of name: String) {
    var first: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, "22", nil, &first) == 0, let first else {
      isElsewhere = false
      return
    }
    defer { freeaddrinfo(first) }
    isElsewhere = !sequence(first: first, next: \.pointee.ai_next).contains { Self.isOfThisMachine($0.pointee) }
  }

  /// Whether a socket of this machine can have the address: it is of an interface, of the loopback network, or none at
  /// all, which leads to this machine, too. Nothing is sent.
  private static func isOfThisMachine(_ address: addrinfo) -> Bool {
    let socket = socket(address.ai_family, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard socket >= 0, let place = address.ai_addr else { return false }
    defer { close(socket) }
    // Any port: the one that was asked for may be taken, or not allowed.
    var storage = sockaddr_storage()
    memcpy(&storage, place, min(Int(address.ai_addrlen), MemoryLayout<sockaddr_storage>.size))
    return withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port = 0 }
      return pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, address.ai_addrlen) == 0 }
    }
  }
}
