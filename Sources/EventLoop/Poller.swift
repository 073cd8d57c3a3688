import CLinux
import Dispatch
import Glibc

/// Tells each `Readiness` what its descriptor can do. There is one epoll instance, watched by one Dispatch source.
///
/// A Dispatch source for each descriptor would be simpler, but does not work on Linux. Once the other side has hung up,
/// such a source fires only one more time, whatever is left to read. Also, libdispatch's own thread iterates over its
/// data about a descriptor while the handler that it has just called makes another thread free that data
/// (libdispatch#949). So a client that leaves would occasionally end the process. Here, everything happens on the loop,
/// and the one source is never released.
@Loop
final class Poller {
  static let shared = Poller()

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  /// By number. Numbers are never reused, so nothing receives an event for a descriptor that was closed in the
  /// meantime.
  private var watched: [UInt64: Unmanaged<Readiness>] = [:]
  private var last: UInt64 = 0
  private var expectsMore = false

  /// How long the loop waits for events itself, in nanoseconds. Dispatch needs a tenth of this for a wake-up.
  private static let waitTime = 200_000
  /// The time after which timers and what other threads send to the loop get their turn.
  private static let turnTime = Duration.milliseconds(4)

  private init() {
    descriptor = clinux_epoll_create()
    precondition(descriptor >= 0, "epoll_create: \(errno)")
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Loop.queue)
    source.setEventHandler { [unowned self] in self.poll() }
    source.resume()
  }

  /// Returns a number for a descriptor's owner, which must call ``remove(_:)`` before it is released.
  func add(_ readiness: Readiness) -> UInt64 {
    last += 1
    watched[last] = .passUnretained(readiness)
    return last
  }

  func remove(_ number: UInt64) { watched[number] = nil }

  /// Changes which events of a descriptor are reported. If any are, the descriptor's end and its errors are reported,
  /// too.
  func watch(_ descriptor: Int32, _ number: UInt64, from old: UInt32, to new: UInt32) {
    guard old != new else { return }
    // This fails if the kernel has no memory, or if the user has no watches left (fs.epoll.max_user_watches). Then
    // nothing is reported, and the owner's deadlines end the wait.
    _ = clinux_epoll_watch(self.descriptor, descriptor, number, old, new)
  }

  /// More events are expected in less time than it takes Dispatch to report one. So the loop waits for them itself.
  func expectMore() { expectsMore = true }

  private func poll() {
    let end = ContinuousClock.now + Self.turnTime
    withUnsafeTemporaryAllocation(of: CLinuxEpollEvent.self, capacity: Int(CLINUX_EPOLL_BATCH)) { events in
      repeat {
        let count = Int(clinux_epoll_take(descriptor, events.baseAddress, expectsMore ? Self.waitTime : 0))
        expectsMore = false
        for event in events.prefix(max(0, count)) {
          watched[event.number]?.takeUnretainedValue().handle(event.flags)
        }
      } while expectsMore && ContinuousClock.now < end
      expectsMore = false
    }
  }
}

extension Loop {
  /// Tells the loop that a descriptor will have more events in a moment, because much is being moved. The loop then
  /// waits for them itself, which takes less of the processor than a wake-up by Dispatch. Call it on the loop.
  @Loop package static func expectMore() { Poller.shared.expectMore() }
}
