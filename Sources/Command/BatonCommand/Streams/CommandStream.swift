// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Dispatch
import EventLoop
import Glibc
import Synchronization
import VarlinkClient

/// A continuation stream for code that blocks its thread: a `ProgramStream` that the event loop follows meanwhile.
///
/// It must live until the stream has ended, because a daemon that finds nobody waiting considers the stream abandoned.
final class CommandStream: Sendable {
  /// The stream's socket, which blocks. The caller closes it, or the end of the process does.
  let descriptor: Int32
  private let stream: Mutex<ProgramStream?>
  private let ending: Awaited<Result<Reason?, ControlError>>

  /// The pause between attempts to call a daemon whose queue of callers is full.
  private static let pause = Duration.milliseconds(20)

  /// Opens or accepts a stream, and waits until it has begun.
  ///
  /// - Parameter path: The path of the control socket. Nil for the user's default daemon.
  init(_ beginning: ProgramStream.Beginning, path: String?) throws(ControlError) {
    let start = Awaited<Result<Int32, ControlError>>()
    let ending = Awaited<Result<Reason?, ControlError>>()
    let stream = try Self.begin(beginning, path) { event in
      switch event {
      case .began(let descriptor): start.set(.success(descriptor))
      case .ended(let reason): ending.set(.success(reason))
      case .failed(let error):
        start.set(.failure(error))
        ending.set(.failure(error))
      }
    }
    let descriptor = try start.wait().get()
    self.descriptor = descriptor
    self.stream = Mutex(stream)
    self.ending = ending
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
    Self.onLoop {
      _ = stream.takeSocket()
      stream.isSocketOver = { Sockets.hasHungUp(descriptor) }
    }
  }

  /// Gives the stream up, if it has not ended, before this returns.
  deinit {
    let last = Awaited<ProgramStream>()
    if let stream = stream.withLock({ $0.take() }) { last.set(stream) }
    Self.onLoop { last.clear() }
  }

  /// Waits until it is known how the stream ended: nil if both sides were complete.
  func wait() -> Result<Reason?, ControlError> { ending.wait() }

  /// The same; nil if it is not known in time.
  func wait(_ time: Duration) -> Result<Reason?, ControlError>? {
    ending.wait(until: .now() + .milliseconds(Int(time / .milliseconds(1))))
  }

  private static func begin(
    _ beginning: ProgramStream.Beginning,
    _ path: String?,
    _ handler: @escaping @Loop @Sendable (ProgramStream.Event) -> Void
  ) throws(ControlError) -> ProgramStream {
    let deadline = ContinuousClock.now + Limits.controlConnectTime
    while true {
      let result = onLoop { () -> Result<ProgramStream, ControlError> in
        do throws(ControlError) {
          return .success(try ProgramStream(beginning, path: path, handler: handler))
        } catch { return .failure(error) }
      }
      guard case .failure(.timedOut) = result, ContinuousClock.now < deadline else { return try result.get() }
      _ = usleep(useconds_t(pause / .microseconds(1)))
    }
  }

  @discardableResult
  private static func onLoop<Value: Sendable>(_ body: @escaping @Loop @Sendable () -> Value) -> Value {
    let value = Awaited<Value>()
    Task { @Loop in value.set(body()) }
    return value.wait()
  }
}

/// A value that one thread sets and others wait for.
private final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let isKnown = DispatchSemaphore(value: 0)

  /// Only the first value counts.
  func set(_ new: Value) {
    value.withLock { $0 = $0 ?? new }
    isKnown.signal()
  }

  func clear() { value.withLock { $0 = nil } }

  func wait() -> Value {
    while true {
      if let value = wait(until: .distantFuture) { return value }
    }
  }

  func wait(until deadline: DispatchTime) -> Value? {
    // For the next one that waits.
    if isKnown.wait(timeout: deadline) == .success { isKnown.signal() }
    return value.withLock { $0 }
  }
}
