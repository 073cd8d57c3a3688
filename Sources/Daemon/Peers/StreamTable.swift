import Activity
import Continuation
import EventLoop
import PeerProtocol

/// The streams that outlive their session: those that wait for the next one, and the results of those that are over
/// (Protocol.md section 7).
@Loop
final class StreamTable {
  var counters: Tally?
  private var suspended: [PeerID: [UInt32: StreamBridge]] = [:]
  /// The answers to peers that ask for a stream that is over. The oldest is removed first.
  private var answers: [StreamID: Message] = [:]
  private var answerOrder: [StreamID] = []
  /// The epochs of the peers' stream numbers.
  private var epochs: [PeerID: UInt64] = [:]

  /// How many streams with the peer wait for a session.
  func count(with peer: PeerID) -> Int { suspended[peer]?.count ?? 0 }

  /// - Parameter answer: For a peer that did not hear of the stream's end.
  func ended(_ stream: StreamID, answer: Message) {
    suspended[stream.peer]?[stream.number] = nil
    if suspended[stream.peer]?.isEmpty == true { suspended[stream.peer] = nil }
    guard answers.updateValue(answer, forKey: stream) == nil else { return }
    answerOrder.append(stream)
    if answerOrder.count > Limits.rememberedStreams { answers[answerOrder.removeFirst()] = nil }
  }

  func answer(for stream: StreamID) -> Message? { answers[stream] }

  func suspend(_ bridge: StreamBridge) { suspended[bridge.id.peer, default: [:]][bridge.id.number] = bridge }

  /// Continues the peer's streams on a session that has just begun.
  ///
  /// - Parameter epoch: The epoch of the peer's stream numbers. A daemon with a new epoch does not know the old
  ///   streams.
  func resume(on session: PeerConnection, epoch: UInt64) {
    let peer = session.peer
    if let known = epochs.updateValue(epoch, forKey: peer), known != epoch {
      end(with: peer, .streamInterrupted)
      answerOrder.removeAll { $0.peer == peer }
      for stream in answers.keys where stream.peer == peer { answers[stream] = nil }
    }
    for (_, bridge) in (suspended.removeValue(forKey: peer) ?? [:]).sorted(by: { $0.key < $1.key }) {
      session.resume(bridge)
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
