// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import TestSupport
import Testing

extension EventLoopTests {
  struct ListenerTests {
    @Test func aListenerHandsOverWhatItAccepts() throws {
      let accepted = try onLoop { Accepted() }
      let port = try onLoop { try accepted.listen() }
      let sockets = try (0..<50).map { _ in DescriptorOwner(try RawSocket.connect(port: port)) }
      try waitUntil("All are accepted") { try onLoop { accepted.descriptors.count == sockets.count } }
      let flags = try onLoop { accepted.descriptors.map { (fcntl($0, F_GETFD), fcntl($0, F_GETFL) & O_NONBLOCK) } }
      #expect(flags.allSatisfy { $0.0 & FD_CLOEXEC != 0 && $0.1 != 0 })
    }

    /// This needs its own process, because the limit belongs to the whole process.
    @Test func withoutDescriptorsItWaitsAndThenGoesOn() async {
      await #expect(processExitsWith: .success) {
        try Descriptors.settle()
        let accepted = try onLoop { Accepted() }
        let port = try onLoop { try accepted.listen() }
        let socket = DescriptorOwner(try RawSocket.connect(port: port))
        try waitUntil("The first is accepted") { try onLoop { accepted.descriptors.count == 1 } }

        // The remaining descriptor numbers go to sockets that connect, so there is none left for accepting.
        let late = try (0..<5).map { _ in try RawSocket.unconnected() }
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let spare = dup(socket.descriptor)
        let highest = Descriptors.list().keys.max() ?? 0
        var lowered = limit
        lowered.rlim_cur = rlim_t(highest + 1)
        var fillers: [Int32] = []
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &lowered) == 0)
        while case let filler = dup(socket.descriptor), filler >= 0 { fillers.append(filler) }
        #expect(errno == EMFILE)
        for descriptor in late { try RawSocket.connect(descriptor, port: port) }

        // The listener does not spin while it waits.
        let before = processTime()
        let start = ContinuousClock.now
        try waitUntil("Half a second has passed") { ContinuousClock.now - start > .milliseconds(500) }
        #expect(processTime() - before < 0.25)
        #expect(try onLoop { accepted.descriptors.count } == 1)

        #expect(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        for filler in fillers + [spare] { close(filler) }
        try waitUntil("The late ones are accepted") { try onLoop { accepted.descriptors.count == 1 + late.count } }
      }
    }

    @Test func aFloodTakesAFifthOfTheTime() throws {
      let accepted = try onLoop { Accepted() }
      let port = try onLoop { try accepted.listen() }
      let time = Duration.milliseconds(1)
      try onLoop {
        accepted.onConnection = {
          busyWait(time); accepted.listener?.isFlooded = true
        }
      }
      let start = ContinuousClock.now
      let sockets = try (0..<48).map { _ in DescriptorOwner(try RawSocket.connect(port: port)) }
      try waitUntil("All are accepted") { try onLoop { accepted.descriptors.count == sockets.count } }
      // Between three turns of 16, it rests twice.
      #expect(ContinuousClock.now - start >= time * 16 * (1 + 4 + 1 + 4))
      // Nobody is refused any longer.
      try onLoop { accepted.onConnection = {} }
      let last = DescriptorOwner(try RawSocket.connect(port: port))
      try waitUntil("It goes on") { try onLoop { accepted.descriptors.count == sockets.count + 1 } }
      _ = last
    }

    @Test func whoClosesInTheHandlerGetsNoMore() throws {
      let accepted = try onLoop { Accepted() }
      let port = try onLoop {
        let port = try accepted.listen()
        accepted.closesAfter = 3
        accepted.listener?.isAccepting = false
        return port
      }
      let sockets = try (0..<10).map { _ in DescriptorOwner(try RawSocket.connect(port: port)) }
      try onLoop { accepted.listener?.isAccepting = true }
      try waitUntil("It is closed") { try onLoop { accepted.listener == nil } }
      #expect(try onLoop { accepted.descriptors.count } == 3)
      #expect(sockets.count == 10)
    }
  }
}

@Loop
private final class Accepted {
  var descriptors: [Int32] = []
  var listener: Listener?
  var closesAfter = Int.max
  var onConnection: @Loop () -> Void = {}

  isolated deinit { for descriptor in descriptors { Sockets.close(descriptor) } }

  func listen() throws -> UInt16 {
    let listener = Listener(owning: try Sockets.listen(port: 0)) { [weak self] descriptor in
      guard let self else { return }
      self.descriptors.append(descriptor)
      self.onConnection()
      if self.descriptors.count >= self.closesAfter {
        self.listener?.close()
        self.listener = nil
      }
    }
    self.listener = listener
    return listener.port ?? 0
  }
}

/// Takes this much of the thread's processor time.
private func busyWait(_ time: Duration) {
  func used() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let end = used() + time
  while used() < end {}
}

/// Returns the processor time that this process has used, in seconds.
private func processTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
