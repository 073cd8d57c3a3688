// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing

@Suite(.isolated) struct SocketAnswerTests {
  @Test func aSocketIsAnsweredWhileAProgramListens() throws {
    let path = "/tmp/baton-answer-\(getpid())"
    unlink(path)
    defer { unlink(path) }
    #expect(try Sockets.isAnswered(path: path) == false)
    let listener = try Sockets.listen(path: path, mode: 0o600)
    #expect(try Sockets.isAnswered(path: path) == true)
    Sockets.close(listener)
    // Its file is still there.
    #expect(access(path, F_OK) == 0)
    #expect(try Sockets.isAnswered(path: path) == false)
  }

  @Test func aSocketOfAnotherKindIsInUse() throws {
    let path = "/tmp/baton-answer-\(getpid())"
    unlink(path)
    defer { unlink(path) }
    let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    #expect(isBound)
    #expect(try Sockets.isAnswered(path: path) == true)
  }
}
