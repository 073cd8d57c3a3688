// SPDX-License-Identifier: Apache-2.0

import Activity

/// Decides at the origin who may connect to a shared session, and when the session is offered.
///
/// Another machine that continues the activity gets one connection. A connection that broke can be continued with its
/// token until the resume time is over. A connection that ended cannot.
///
/// Legal transitions of a connection: none → `connected`, with a continuation; `connected` → `broken` → `connected`;
/// either → none, when it ends, and `broken` → none, when its time is over.
package struct TerminalShare: Sendable {
  /// Identifies one stream.
  package typealias Stream = UInt64

  package enum Event: Equatable, Sendable {
    /// Another machine has continued the activity.
    case continued
    /// - Parameter token: What the receiver says about an earlier connection.
    case requested(Stream, token: String?)
    /// The stream broke, or its connection could not be made.
    case broke(Stream)
    /// The receiver has left the session.
    case detached(Stream)
    case wake
  }

  package enum Effect: Equatable, Sendable {
    /// Connect the stream to the session.
    case connect(Stream, token: String)
    /// Drop this stream, because a newer one continues its connection.
    case drop(Stream)
    case refuse(Stream, TerminalEnd.How)
    /// Make the activity current again.
    case offer
  }

  private enum State: Equatable {
    case connected(Stream)
    case broken(until: ContinuousClock.Instant)
  }

  private var connections: [String: State] = [:]
  /// Continuations whose stream has not come yet, and until when it may.
  private var awaited: [ContinuousClock.Instant] = []
  private let resumeTime: Duration
  private let newToken: @Sendable () -> String

  /// More people than that do not look at one terminal. tmux draws each.
  package static let connectionLimit = 4
  /// The time from a continuation to its stream. Opening one takes at most 20 s.
  package static let openTime = Duration.seconds(30)

  package init(resumeTime: Duration, newToken: @escaping @Sendable () -> String) {
    self.resumeTime = resumeTime
    self.newToken = newToken
  }

  /// The number of machines that see the session.
  package var connectedCount: Int {
    connections.values.count { if case .connected = $0 { true } else { false } }
  }

  /// Whether a machine whose connection broke may come back.
  package var isAwaited: Bool { connections.count > connectedCount }

  /// When ``Event/wake`` is due next.
  package var deadline: ContinuousClock.Instant? {
    let ends = connections.values.compactMap { state -> ContinuousClock.Instant? in
      if case .broken(let until) = state { until } else { nil }
    }
    return (ends + awaited).min()
  }

  package mutating func handle(_ event: Event, at now: ContinuousClock.Instant) -> [Effect] {
    let late = expire(now)
    switch event {
    case .continued:
      if awaited.count < Self.connectionLimit { awaited.append(now + Self.openTime) }
      return []
    case .requested(let stream, let token?): return late + resume(stream, token)
    case .requested(let stream, nil): return late + [connect(stream)]
    case .broke(let stream):
      guard let token = token(of: stream) else {
        // It broke before it was connected.
        guard !awaited.isEmpty else { return late }
        awaited.removeFirst()
        return [.offer]
      }
      connections[token] = .broken(until: now + resumeTime)
      return [.offer]
    case .detached(let stream):
      guard let token = token(of: stream) else { return late }
      connections[token] = nil
      return [.offer]
    case .wake: return late
    }
  }

  /// Forgets what is over. A machine that has continued the activity and does not connect gives it back.
  private mutating func expire(_ now: ContinuousClock.Instant) -> [Effect] {
    connections = connections.filter { if case .broken(let until) = $0.value { until > now } else { true } }
    let count = awaited.count
    awaited.removeAll { $0 <= now }
    return awaited.count < count ? [.offer] : []
  }

  private mutating func connect(_ stream: Stream) -> Effect {
    guard !awaited.isEmpty else { return .refuse(stream, .notContinued) }
    awaited.removeFirst()
    guard connectedCount < Self.connectionLimit else { return .refuse(stream, .limitReached) }
    // Those that broke longest ago give way.
    while connections.count >= 2 * Self.connectionLimit, let oldest = oldestBroken { connections[oldest] = nil }
    let token = newToken()
    connections[token] = .connected(stream)
    return .connect(stream, token: token)
  }

  private mutating func resume(_ stream: Stream, _ token: String) -> [Effect] {
    guard let state = connections[token] else { return [.refuse(stream, .expired)] }
    // The receiver continued the activity again, because the daemon had been restarted.
    if !awaited.isEmpty { awaited.removeFirst() }
    if case .broken = state, connectedCount >= Self.connectionLimit { return [.refuse(stream, .limitReached)] }
    connections[token] = .connected(stream)
    // The receiver knows of the break before the origin does.
    if case .connected(let earlier) = state { return [.drop(earlier), .connect(stream, token: token)] }
    return [.connect(stream, token: token)]
  }

  private var oldestBroken: String? {
    connections.compactMap { token, state -> (String, ContinuousClock.Instant)? in
      if case .broken(let until) = state { (token, until) } else { nil }
    }
    .min { $0.1 < $1.1 }?.0
  }

  private func token(of stream: Stream) -> String? {
    connections.first { $0.value == .connected(stream) }?.key
  }
}
