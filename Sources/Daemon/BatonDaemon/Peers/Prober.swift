// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// Asks connected peers to dial this machine back, and dials back peers that ask (Protocol.md section 5).
@Loop
final class Prober {
  /// The minimum time between two probe connections that one peer may request, in case a person asks again and again.
  private static let probeInterval = Duration.seconds(5)

  /// What a peer found.
  enum Answer: Equatable {
    case reached
    case notReached(Reason)
    /// The peer did not answer in time, or is not connected.
    case unanswered
  }

  private final class Question {
    let number: UInt64
    var waiting: [@Loop (Answer) -> Void]
    let timer: Timer

    init(_ number: UInt64, _ waiting: @escaping @Loop (Answer) -> Void, _ timer: Timer) {
      self.number = number
      self.waiting = [waiting]
      self.timer = timer
    }
  }

  private let peers: PeerTable
  private var questions: [PeerID: Question] = [:]
  /// What peers answered within the last `probeInterval`, because they would not dial again so soon.
  private var answers: [PeerID: (answer: Answer, until: ContinuousClock.Instant)] = [:]
  private var lastNumber: UInt64 = 0
  /// The peers that asked, and when they may ask again.
  private var asked: [PeerID: ContinuousClock.Instant] = [:]
  private var dialers: [PeerID: Dialer] = [:]

  init(_ peers: PeerTable) { self.peers = peers }

  // MARK: Asking

  /// Asks a peer to dial this machine back.
  ///
  /// - Parameters:
  ///   - port: The port on which this machine listens.
  ///   - completion: Called once, never before this returns, at most `Limits.probeTime` later.
  func ask(_ peer: PeerID, port: UInt16, completion: @escaping @Loop (Answer) -> Void) {
    if let question = questions[peer] { return question.waiting.append(completion) }
    answers = answers.filter { $0.value.until > Loop.now }
    guard let connection = peers.connection(with: peer), answers[peer] == nil else {
      let answer = answers[peer]?.answer ?? .unanswered
      Task { @Loop in completion(answer) }
      return
    }
    lastNumber += 1
    let timer = Timer { [weak self] in self?.answered(peer, .unanswered) }
    questions[peer] = Question(lastNumber, completion, timer)
    timer.set(Loop.now + Limits.probeTime)
    connection.send(Probe(number: lastNumber, port: port))
  }

  private func answered(_ peer: PeerID, _ answer: Answer) {
    guard let question = questions.removeValue(forKey: peer) else { return }
    question.timer.set(nil)
    if answer != .unanswered { answers[peer] = (answer, Loop.now + Self.probeInterval) }
    for completion in question.waiting { completion(answer) }
  }

  // MARK: Peers

  func received(_ probed: Probed, from peer: PeerID) {
    guard questions[peer]?.number == probed.number else { return }
    answered(peer, probed.reason.map { .notReached($0) } ?? .reached)
  }

  func received(_ probe: Probe, on connection: PeerConnection) {
    let peer = connection.peer
    asked = asked.filter { $0.value > Loop.now }
    guard asked[peer] == nil, dialers[peer] == nil else { return answer(peer, probe, .limitReached) }
    asked[peer] = Loop.now + Self.probeInterval
    // Lower ports belong to the system services of that machine.
    guard let address = connection.address, probe.port >= 1024 else { return answer(peer, probe, .addressInvalid) }
    dialers[peer] = Dialer([address.with(port: probe.port)]) { [weak self] descriptor, _ in
      if let descriptor { Sockets.close(descriptor) }
      self?.dialers[peer] = nil
      self?.answer(peer, probe, descriptor == nil ? .peerUnreachable : nil)
    }
  }

  private func answer(_ peer: PeerID, _ probe: Probe, _ reason: Reason?) {
    peers.connection(with: peer)?.send(Probed(number: probe.number, reason: reason))
  }
}
