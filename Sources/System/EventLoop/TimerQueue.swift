// SPDX-License-Identifier: Apache-2.0

import CLinux
import Glibc

/// The timers that wait for the system's clock. One timer of the kernel reports the earliest of them, and the poller
/// watches it like everything else. Its clock goes on while the machine sleeps, so whatever became due in the meantime
/// fires when the machine wakes.
@Loop
final class TimerQueue {
  static let shared = TimerQueue()

  private struct Entry {
    let instant: ContinuousClock.Instant
    /// It removes itself before it is released.
    let timer: Unmanaged<Timer>
  }

  /// A binary heap: each instant is no later than the two at twice its index, plus 1 and plus 2.
  private var heap: [Entry] = []
  private let readiness: Readiness
  /// When the kernel reports next; nil if it does not. This may be too early: most deadlines are dropped, and one call
  /// in vain takes less time than telling the kernel of each.
  private var alarm: ContinuousClock.Instant?

  /// How many timers fire before others get their turn.
  private static let firedAtATime = 64

  private init() {
    let descriptor = clinux_timer_create()
    precondition(descriptor >= 0, "timerfd_create: \(errno)")
    readiness = Readiness(owning: descriptor)
    readiness.onReadable = { [unowned self] in self.fire() }
    readiness.isReading = true
  }

  /// The timers that will fire.
  var timers: [Timer] { heap.map { $0.timer.takeUnretainedValue() } }

  /// Makes the timer fire at its present deadline, and at no other.
  func update(_ timer: Timer) {
    remove(timer)
    guard let deadline = timer.deadline else { return }
    heap.append(Entry(instant: deadline, timer: .passUnretained(timer)))
    rise(from: heap.count - 1)
    if let first = heap.first?.instant, alarm.map({ first < $0 }) ?? true { setAlarm() }
  }

  func remove(_ timer: Timer) {
    guard let index = timer.index else { return }
    timer.index = nil
    let last = heap.removeLast()
    guard index < heap.count else { return }
    let removed = heap[index].instant
    heap[index] = last
    last.instant < removed ? rise(from: index) : sink(from: index)
  }

  private func fire() {
    let now = ContinuousClock.now
    for _ in 0..<Self.firedAtATime {
      guard let first = heap.first, first.instant <= now else { break }
      let timer = first.timer.takeUnretainedValue()
      remove(timer)
      timer.called()
    }
    setAlarm()
  }

  /// Makes the kernel report the first instant.
  private func setAlarm() {
    alarm = heap.first?.instant
    // The kernel takes zero for never.
    let pause = (alarm.map { max($0 - .now, .nanoseconds(1)) } ?? .zero).components
    clinux_timer_set(readiness.descriptor, pause.seconds, Int(pause.attoseconds / 1_000_000_000))
  }

  // MARK: The heap

  private func place(_ entry: Entry, at index: Int) {
    heap[index] = entry
    entry.timer.takeUnretainedValue().index = index
  }

  private func rise(from start: Int) {
    var index = start
    let entry = heap[index]
    while index > 0, entry.instant < heap[(index - 1) / 2].instant {
      place(heap[(index - 1) / 2], at: index)
      index = (index - 1) / 2
    }
    place(entry, at: index)
  }

  private func sink(from start: Int) {
    var index = start
    let entry = heap[index]
    while 2 * index + 1 < heap.count {
      let left = 2 * index + 1
      let next = left + 1 < heap.count && heap[left + 1].instant < heap[left].instant ? left + 1 : left
      guard heap[next].instant < entry.instant else { break }
      place(heap[next], at: index)
      index = next
    }
    place(entry, at: index)
  }
}
