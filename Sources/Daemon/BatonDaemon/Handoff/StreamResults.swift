// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// The results of streams, for programs that ask once their connection has ended.
@Loop
final class StreamResults {
  /// The maximum number of one user's ended streams that programs can ask about.
  nonisolated static let streamResultsPerUser = 1024

  /// A program that asked, and how to tell it.
  struct Waiter {
    let hasLeft: @Loop () -> Bool
    let tell: @Loop (Reason?) -> Void
  }

  private enum State {
    case running(waiting: [Int: Waiter])
    case ended(Reason?)
  }

  private struct Stream {
    let user: UserID
    /// Called when a program asks for the first time.
    var onAsked: (@Loop () -> Void)?
    /// Called when a program hangs up while it waits.
    var onAbandoned: (@Loop () -> Void)?
    var state = State.running(waiting: [:])
    /// Whether a program hung up while it waited.
    var wasAbandoned = false
  }

  private var streams: [String: Stream] = [:]
  /// How many streams of each user are not over.
  private var runningCounts: [UserID: Int] = [:]
  /// The streams that are over, the oldest first.
  private var ended: [UserID: [String]] = [:]
  private var last: UInt64 = 0
  private var lastWaiter = 0
  /// Part of every name, because programs may ask a daemon about a stream of the previous one.
  private let epoch: UInt64

  init(epoch: UInt64) { self.epoch = epoch }

  /// How many programs wait for the end of a stream.
  var waiterCount: Int {
    streams.values.reduce(0) { count, stream in
      if case .running(let waiting) = stream.state { count + waiting.count } else { count }
    }
  }

  /// - Parameter user: The user whose app has this end of the stream.
  /// - Returns: The name of a new stream.
  func begin(for user: UserID) -> String {
    last += 1
    let token = "stream-\(epoch)-\(last)"
    add(token, for: user)
    return token
  }

  /// Adds a stream that the previous daemon began.
  func restore(_ token: String, for user: UserID) { add(token, for: user) }

  private func add(_ token: String, for user: UserID) {
    streams[token] = Stream(user: user)
    runningCounts[user, default: 0] += 1
  }

  /// Calls `handler` once, when a program asks how the stream ends.
  func onAsked(_ token: String, _ handler: @escaping @Loop () -> Void) { streams[token]?.onAsked = handler }

  /// How many of the user's streams are not over; of all streams for root.
  func runningCount(of user: UserID) -> Int {
    user == 0 ? runningCounts.values.reduce(0, +) : runningCounts[user] ?? 0
  }

  /// The user whose stream it is.
  func user(of token: String) -> UserID? { streams[token]?.user }

  /// Whether a program waits for the stream's end.
  func isAwaited(_ token: String) -> Bool {
    if case .running(let waiting) = streams[token]?.state { !waiting.isEmpty } else { false }
  }

  func end(_ token: String, _ reason: Reason?) {
    guard let stream = streams[token], case .running(let waiting) = stream.state else { return }
    streams[token]?.state = .ended(reason)
    let others = runningCounts[stream.user, default: 0] - 1
    runningCounts[stream.user] = others > 0 ? others : nil
    streams[token]?.onAbandoned = nil
    ended[stream.user, default: []].append(token)
    if let tokens = ended[stream.user], tokens.count > Self.streamResultsPerUser {
      streams[tokens[0]] = nil
      ended[stream.user]?.removeFirst()
    }
    for waiter in waiting.values { waiter.tell(reason) }
  }

  /// Whether a program that waited for the stream's end is gone. Then the end of its socket was not intended, because
  /// the kernel closes what a process has open when it is killed.
  func isAbandoned(_ token: String) -> Bool {
    guard let stream = streams[token], case .running(let waiting) = stream.state else { return false }
    return stream.wasAbandoned || waiting.values.contains { $0.hasLeft() }
  }

  /// Tells `waiter` when the stream is over.
  ///
  /// - Parameter user: The user who asks: the stream's own user, or root.
  /// - Returns: A function to call when the waiter's program has left; nil if the user has no such stream.
  func wait(for token: String, user: UserID, _ waiter: Waiter) -> (@Loop () -> Void)? {
    guard let stream = streams[token], user == 0 || stream.user == user else { return nil }
    switch stream.state {
    case .ended(let reason):
      waiter.tell(reason)
      return {}
    case .running(var waiting):
      lastWaiter += 1
      let number = lastWaiter
      waiting[number] = waiter
      streams[token]?.state = .running(waiting: waiting)
      streams[token]?.onAsked = nil
      stream.onAsked?()
      return { [weak self] in self?.abandon(token, number) }
    }
  }

  /// Calls `handler` each time a program hangs up while it waits for the stream's end.
  func onAbandoned(_ token: String, _ handler: @escaping @Loop () -> Void) { streams[token]?.onAbandoned = handler }

  private func abandon(_ token: String, _ waiter: Int) {
    guard case .running(var waiting) = streams[token]?.state else { return }
    waiting[waiter] = nil
    streams[token]?.state = .running(waiting: waiting)
    streams[token]?.wasAbandoned = true
    streams[token]?.onAbandoned?()
  }
}
