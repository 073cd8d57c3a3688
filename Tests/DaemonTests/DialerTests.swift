import Activity
import EventLoop
import Glibc
import TestSupport
import Testing

@testable import Daemon

extension DaemonTests {
  struct DialerTests {
    @Test func aLiveAddressIsFoundBesideDeadOnes() async {
      await #expect(processExitsWith: .success) {
        try Descriptors.settle()
        let before = Descriptors.count
        let listener = DescriptorOwner(try Sockets.listen(port: 0))
        guard let live = Sockets.localAddress(of: listener.descriptor) else { throw TestFailure("No port") }
        let dial = try onLoop { Dial(["127.0.0.1:1", "0.0.0.0:0", "127.0.0.3:1"], live: live.port) }
        try waitUntil("One answers") { try onLoop { dial.answers.count == 1 } }
        let (descriptor, address) = try onLoop { dial.answers[0] }
        #expect(address?.port == live.port)
        #expect(fcntl(descriptor ?? -1, F_GETFL) & O_NONBLOCK != 0)
        if let descriptor { close(descriptor) }
        try waitUntil("The attempts are closed") { Descriptors.count == before + 1 }
      }
    }

    @Test func whereNobodyAnswersItSaysSoOnce() async {
      await #expect(processExitsWith: .success) {
        let clock = try ManualClock.install()
        let refused = try onLoop { Dial(["127.0.0.1:1", "127.0.0.2:1"], live: nil) }
        try waitUntil("It ends") { try onLoop { refused.answers.count == 1 } }
        #expect(try onLoop { refused.answers[0].0 } == nil)
        let nowhere = try onLoop { Dial([], live: nil) }
        try waitUntil("It ends") { try onLoop { nowhere.answers.count == 1 } }
        try clock.pass(Limits.connectTime)
        #expect(try onLoop { refused.answers.count + nowhere.answers.count } == 2)
      }
    }

    @Test func whoGivesUpIsNotCalled() async {
      await #expect(processExitsWith: .success) {
        let clock = try ManualClock.install()
        try Descriptors.settle()
        let before = Descriptors.count
        let listener = DescriptorOwner(try Sockets.listen(port: 0))
        guard let live = Sockets.localAddress(of: listener.descriptor) else { throw TestFailure("No port") }
        let dial = try onLoop {
          let dial = Dial(["127.0.0.1:1"], live: live.port)
          dial.dialer?.cancel()
          return dial
        }
        try clock.pass(Limits.connectTime)
        try waitUntil("The attempts are closed") { Descriptors.count == before + 1 }
        #expect(try onLoop { dial.answers.isEmpty })
      }
    }
  }
}

@Loop
private final class Dial {
  var answers: [(Int32?, SocketAddress?)] = []
  var dialer: Dialer?

  init(_ dead: [String], live: UInt16?) {
    var addresses = dead.compactMap { text -> SocketAddress? in
      let parts = text.split(separator: ":")
      return SocketAddress(numericHost: String(parts[0]), port: UInt16(parts[1]) ?? 0)
    }
    if let live {
      addresses.append(contentsOf: [SocketAddress(numericHost: "127.0.0.1", port: live)].compactMap(\.self))
    }
    dialer = Dialer(addresses) { [weak self] in self?.answers.append(($0, $1)) }
  }
}
