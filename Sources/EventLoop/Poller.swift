import CEpoll
import Dispatch
import Glibc

/// Tells each `Readiness` what its descriptor can do: one epoll instance, which one Dispatch source watches.
///
/// A Dispatch source for each descriptor would be simpler, and does not work on Linux. Once the other side has hung up, a
/// source tells of it one single time, whatever is left to read. And libdispatch's own thread walks over what it knows of
/// a descriptor while the handler that it just called makes another thread free it (libdispatch#949): a client that
/// leaves would now and then end the process. Here everything happens on the loop, and the one source stays for ever.
@Loop
final class Poller {
  static let shared = Poller()

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  /// By numbers that are never used again: an event of one that was closed meanwhile belongs to nobody.
  private var watched: [UInt64: Unmanaged<Readiness>] = [:]
  private var last: UInt64 = 0

  private init() {
    descriptor = cepoll_create()
    precondition(descriptor >= 0, "epoll_create: \(errno)")
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: Loop.queue)
    source.setEventHandler { [unowned self] in self.poll() }
    source.resume()
  }

  /// A number for a descriptor's owner, which calls ``remove(_:)`` before it goes.
  func add(_ readiness: Readiness) -> UInt64 {
    last += 1
    watched[last] = .passUnretained(readiness)
    return last
  }

  func remove(_ number: UInt64) { watched[number] = nil }

  /// Changes what is told of a descriptor. The end and errors are told to who asks for anything.
  func watch(_ descriptor: Int32, _ number: UInt64, from old: UInt32, to new: UInt32) {
    guard old != new else { return }
    // Fails where the kernel has no memory, or the user no watch left (fs.epoll.max_user_watches): then nothing is told,
    // and the owner's deadlines end the wait.
    _ = cepoll_watch(self.descriptor, descriptor, number, old, new)
  }

  private func poll() {
    withUnsafeTemporaryAllocation(of: CEpollEvent.self, capacity: Int(CEPOLL_BATCH)) { events in
      let count = Int(cepoll_take(descriptor, events.baseAddress))
      for event in events.prefix(max(0, count)) {
        watched[event.number]?.takeUnretainedValue().handle(event.flags)
      }
    }
  }
}
