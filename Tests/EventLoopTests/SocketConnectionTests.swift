// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Glibc
import TestSupport
import Testing

/// How fast a TCP connection is.
@Suite(.isolated) struct SocketConnectionTests {
  private static let congestionOption: Int32 = 13

  /// What this kernel lets every process choose. The test names those that it ran with.
  private static let allowed: [String] = {
    let text = try? String(contentsOfFile: "/proc/sys/net/ipv4/tcp_allowed_congestion_control", encoding: .utf8)
    return (text ?? "reno").split { " \n".contains($0) }.map(String.init)
  }()

  private static func congestionControl(of descriptor: Int32) -> String {
    var name = [CChar](repeating: 0, count: 16)
    var length = socklen_t(name.count)
    #expect(getsockopt(descriptor, Int32(IPPROTO_TCP), congestionOption, &name, &length) == 0)
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Returns both ends of a connection.
  private static func connect() throws -> (near: DescriptorOwner, far: DescriptorOwner) {
    let listener = DescriptorOwner(try Sockets.listen(port: 0, backlog: 1))
    let near = DescriptorOwner(socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
    var address = sockaddr_in6()
    address.sin6_family = sa_family_t(AF_INET6)
    address.sin6_port = in_port_t(try #require(Sockets.localAddress(of: listener.descriptor)?.port).bigEndian)
    address.sin6_addr = in6addr_loopback
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(near.descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
      }
    }
    #expect(result == 0)
    var wait = pollfd(fd: listener.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&wait, 1, 10_000) == 1)
    return (near, DescriptorOwner(accept(listener.descriptor, nil, nil)))
  }

  /// Another one must not take the place of what the administrator has chosen.
  @Test(arguments: allowed) func aRestartKeepsTheCongestionControl(name: String) throws {
    let (near, far) = try Self.connect()
    let length = socklen_t(name.utf8.count)
    #expect(setsockopt(near.descriptor, Int32(IPPROTO_TCP), Self.congestionOption, name, length) == 0)
    let bytes = [UInt8](repeating: 7, count: 1000)
    var read = [UInt8](repeating: 0, count: 1000)
    for _ in 0..<3 {
      Sockets.restartCongestionControl(near.descriptor)
      #expect(Self.congestionControl(of: near.descriptor) == name)
      #expect(write(near.descriptor, bytes, bytes.count) == bytes.count)
      #expect(recv(far.descriptor, &read, read.count, Int32(MSG_WAITALL)) == bytes.count)
    }
    let state = Sockets.connectionState(of: near.descriptor)
    #expect(state.window > 0 && state.roundTrip > .zero && state.unsentCount == 0)
  }
}
