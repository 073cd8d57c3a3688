// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff

/// The streams that outlive their session: those that wait for the next one, and the results of those that are over
/// (Protocol.md section 7).
@Loop
final class StreamTable {
  /// The time after the end of a stream in which others end, before unused memory is given back to the kernel.
  private static let memoryReturnTime = Duration.seconds(10)
  /// The maximum number of one peer's streams whose end is remembered. A peer that missed the end asks in the next
  /// session.
  nonisolated static let rememberedStreams = 512

  let counters: Tally
  let memory: StreamMemory
  private var suspended: [PeerID: [UInt32: StreamBridge]] = [:]
  /// The answers for each peer that asks about a stream that is over.
  private var answers = RecentTable<PeerID, Answers>(limit: Limits.rememberedConducts)
  /// The epoch of each peer's stream numbers.
  private var epochs: [PeerID: UInt64] = [:]

  /// One peer's answers. The oldest is dropped first.
  private struct Answers {
    private var messages: [UInt32: StreamMessage] = [:]
    private var order: [UInt32] = []

    subscript(stream: UInt32) -> StreamMessage? { messages[stream] }

    mutating func add(_ message: StreamMessage, for stream: UInt32) {
      guard messages.updateValue(message, forKey: stream) == nil else { return }
      order.append(stream)
      if order.count > StreamTable.rememberedStreams { messages[order.removeFirst()] = nil }
    }
  }

  /// Streams take more memory than anything else, and most of the time there are none.
  private let trimming: Timer

  init(counters: Tally, memory: StreamMemory) {
    (self.counters, self.memory) = (counters, memory)
    trimming = Timer {
      memory.freeSpare()
      OwnMemory.giveBack()
    }
  }

  /// Streams with the peer that wait for a session.
  func count(with peer: PeerID) -> Int { suspended[peer]?.count ?? 0 }

  /// The peers with streams that wait for a session.
  var awaitedPeers: Set<PeerID> { Set(suspended.keys) }

  /// - Parameter answer: The answer for a peer that has not heard of the stream's end.
  func ended(_ stream: StreamID, answer: StreamMessage) {
    suspended[stream.peer]?[stream.number] = nil
    if suspended[stream.peer]?.isEmpty == true { suspended[stream.peer] = nil }
    var own = answers[stream.peer] ?? Answers()
    own.add(answer, for: stream.number)
    answers[stream.peer] = own
    if trimming.deadline == nil { trimming.set(Loop.now + Self.memoryReturnTime) }
  }

  func answer(for stream: StreamID) -> StreamMessage? { answers[stream.peer]?[stream.number] }

  func suspend(_ bridge: StreamBridge) { suspended[bridge.id.peer, default: [:]][bridge.id.number] = bridge }

  /// Continues the peer's streams on a session that has just begun.
  ///
  /// - Parameter epoch: The epoch of the peer's stream numbers. A daemon with a new epoch does not know the old
  ///   streams.
  func resume(on connection: PeerConnection, epoch: UInt64) {
    let peer = connection.peer
    if let known = epochs.updateValue(epoch, forKey: peer), known != epoch {
      end(with: peer, .streamInterrupted)
      answers[peer] = nil
    }
    for (_, bridge) in (suspended.removeValue(forKey: peer) ?? [:]).sorted(by: { $0.key < $1.key }) {
      connection.resume(bridge)
    }
  }

  /// Gives up the peer's waiting streams.
  func end(with peer: PeerID, _ reason: Reason) {
    for bridge in (suspended[peer] ?? [:]).values { bridge.abandon(reason) }
  }

  /// Returns the waiting streams of all peers, and removes them from the table.
  func takeAll() -> [StreamBridge] {
    defer { suspended = [:] }
    return suspended.values.flatMap(\.values)
  }

  func endAll(_ reason: Reason) {
    for peer in suspended.keys { end(with: peer, reason) }
  }

  /// Called when the peer is no longer known.
  func forget(_ peer: PeerID) {
    end(with: peer, .streamInterrupted)
    epochs[peer] = nil
  }
}
