// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// Reaches a device at one of several addresses, which `ReachabilityCore` has chosen, in that order. They are dialled
/// one after the other, `Limits.dialStep` apart or as soon as one fails. The first connection whose TLS handshake
/// completes is kept. An address where nobody answers does not delay the others, nor does one that accepts connections
/// and says nothing (RFC 8305, section 5).
///
/// If the other side does not know the team by the discovery key, the address is dialled once more with `K_return`,
/// because it may be a member with another key. For a user who waits, it is dialled once more if it has not answered.
@Loop
final class PeerDialer {
  /// The maximum number of connections that are being dialled to one address. A user who waits does not wait for one
  /// that has not answered for ``Limits.dialStep``.
  nonisolated static let dialsPerAddress = 3

  @Loop
  private final class Attempt {
    let address: SocketAddress
    /// When it was dialled last.
    var began = Loop.now
    var isReturning = false
    var dialer: Dialer?
    var connection: TLSConnection?

    init(_ address: SocketAddress) { self.address = address }

    func cancel() {
      dialer?.cancel()
      dialer = nil
      connection?.finish()
      connection = nil
    }
  }

  /// The addresses that have not been dialled yet.
  private var waiting: [SocketAddress] = []
  private var known: Set<SocketAddress> = []
  private var attempts: [ObjectIdentifier: Attempt] = [:]
  private var step: Timer?
  private let makeEngine: @Loop (_ isReturning: Bool) -> TLSEngine?
  private var completion: (@Loop (Result<TLSConnection, Reason>) -> Void)?
  private let onFailed: @Loop (SocketAddress, Reason, DialObstacle?) -> Void
  /// The most informative of the reasons why addresses failed.
  private var reason: Reason?

  /// - Parameters:
  ///   - onFailed: Called for each address that was dialled in vain, until there is a connection.
  ///   - makeEngine: Creates an engine for each connection; nil if this machine can no longer create one.
  ///   - completion: Called once, never before this returns: with an established connection, or with the reason why
  ///     there is none.
  init(
    _ addresses: [SocketAddress],
    onFailed: @escaping @Loop (SocketAddress, Reason, DialObstacle?) -> Void = { _, _, _ in },
    makeEngine: @escaping @Loop (_ isReturning: Bool) -> TLSEngine?,
    completion: @escaping @Loop (Result<TLSConnection, Reason>) -> Void
  ) {
    self.makeEngine = makeEngine
    self.onFailed = onFailed
    self.completion = completion
    step = Timer { [weak self] in self?.dialNext() }
    step?.set(Loop.now)
    add(addresses)
  }

  isolated deinit { cancel() }

  /// Adds addresses, which are dialled after those that wait. An address that has been dialled is not dialled again.
  func add(_ addresses: [SocketAddress]) {
    for address in addresses where known.count < Limits.dialledAddresses && known.insert(address).inserted {
      waiting.append(address)
    }
    if step?.deadline == nil { step?.set(Loop.now) }
  }

  /// Dials once more what has not answered for `Limits.dialStep`, because a user waits. If the network was away until
  /// now, TCP would repeat what was lost after a second or more.
  ///
  /// - Parameter mayDial: Called for each address that is about to be dialled.
  func dialAgain(where mayDial: (SocketAddress) -> Bool) {
    let late = Loop.now - Limits.dialStep
    for (address, others) in Dictionary(grouping: attempts.values, by: \.address)
    where others.count < Self.dialsPerAddress && others.allSatisfy({ $0.began <= late }) && mayDial(address) {
      begin(Attempt(address))
    }
  }

  /// Gives up without calling the completion.
  func cancel() {
    completion = nil
    finish()
  }

  private func dialNext() {
    guard completion != nil else { return }
    guard !waiting.isEmpty else {
      if attempts.isEmpty { end(.failure(reason ?? .peerUnreachable)) }
      return
    }
    begin(Attempt(waiting.removeFirst()))
    if !waiting.isEmpty { step?.set(Loop.now + Limits.dialStep) }
  }

  private func begin(_ attempt: Attempt) {
    attempts[ObjectIdentifier(attempt)] = attempt
    dial(attempt)
  }

  private func dial(_ attempt: Attempt) {
    attempt.began = Loop.now
    attempt.dialer = Dialer([attempt.address]) { [weak self, unowned attempt] descriptor, address in
      let obstacle = attempt.dialer?.obstacle
      attempt.dialer = nil
      guard let self else {
        if let descriptor { Sockets.close(descriptor) }
        return
      }
      guard let descriptor else { return self.failed(attempt, .peerUnreachable, obstacle) }
      self.shakeHands(attempt, descriptor, address)
    }
  }

  private func shakeHands(_ attempt: Attempt, _ descriptor: Int32, _ address: SocketAddress?) {
    guard let tls = makeEngine(attempt.isReturning) else {
      Sockets.close(descriptor)
      return failed(attempt, .internalFailure)
    }
    let connection = TLSConnection(owning: descriptor, address: address, tls: tls) { [weak self, weak attempt] event in
      guard let self, let attempt else { return }
      switch event {
      case .established: self.established(attempt)
      case .ended(let reason): self.ended(attempt, reason)
      case .frame, .batchEnd, .turnEnd, .violation, .space: break
      }
    }
    attempt.connection = connection
    connection.start()
  }

  private func established(_ attempt: Attempt) {
    guard let connection = attempt.connection else { return }
    // The receiver takes ownership.
    attempt.connection = nil
    end(.success(connection))
  }

  private func ended(_ attempt: Attempt, _ reason: Reason) {
    attempt.connection = nil
    guard reason == .otherTeam, !attempt.isReturning else { return failed(attempt, reason) }
    attempt.isReturning = true
    dial(attempt)
  }

  private func failed(_ attempt: Attempt, _ reason: Reason, _ obstacle: DialObstacle? = nil) {
    attempts[ObjectIdentifier(attempt)] = nil
    onFailed(attempt.address, reason, obstacle)
    if self.reason.map({ reason.attemptWeight >= $0.attemptWeight }) ?? true { self.reason = reason }
    dialNext()
  }

  private func end(_ result: Result<TLSConnection, Reason>) {
    let completion = completion
    self.completion = nil
    finish()
    completion?(result)
  }

  private func finish() {
    step = nil
    waiting = []
    for attempt in attempts.values { attempt.cancel() }
    attempts = [:]
  }
}
