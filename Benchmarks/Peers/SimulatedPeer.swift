// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import TLS

/// One machine of the team: a session with the daemon, an activity that it offers, and the far ends of streams.
///
/// The bytes of a stream go nowhere, except that each frame with a single byte is answered with that byte.
@Loop
final class SimulatedPeer {
  private struct Stream {
    var received: UInt64 = 0
    var acknowledged: UInt64 = 0
    var sent: UInt64 = 0
  }

  /// How many bytes of a stream may be on their way.
  private static let window: UInt64 = 4 * 1024 * 1024

  let name: String
  private let context: TLSContext
  private let source: SocketAddress
  private let address: SocketAddress
  private var connection: Connection?
  private var session: PeerSession?
  private var timer: Timer?
  private var streams: [UInt32: Stream] = [:]
  private var changed: Set<UInt32> = []
  private var offered: ActivityRecord?
  private var counter: UInt64 = 0
  private var wasReady = false
  /// Called with whether it has a session, and whether it had one: when the session is ready, when it could not begin,
  /// and when it has ended.
  private let onChange: @Loop (SimulatedPeer, Bool, Bool) -> Void
  /// Called with the title of each activity that the daemon offers.
  private let onOffer: @Loop (String) -> Void

  /// - Parameter source: The address of this host that it comes from.
  init(
    name: String,
    _ context: TLSContext,
    from source: SocketAddress,
    to address: SocketAddress,
    onChange: @escaping @Loop (SimulatedPeer, Bool, Bool) -> Void,
    onOffer: @escaping @Loop (String) -> Void
  ) {
    (self.name, self.context, self.source, self.address) = (name, context, source, address)
    (self.onChange, self.onOffer) = (onChange, onOffer)
  }

  /// Dials the daemon.
  func dial() {
    do {
      connection = try Connection(context, from: source, to: address) { [weak self] event in self?.handle(event) }
    } catch { changed(isReady: false) }
  }

  private func changed(isReady: Bool) {
    let before = wasReady
    wasReady = isReady
    onChange(self, isReady, before)
  }

  var streamCount: Int { streams.count }

  // MARK: Activities

  /// Offers another activity in place of the current one, with streams.
  func offer(title: String) throws {
    withdraw()
    var record = try ActivityRecord(id: .random(), activityType: "org.example.benchmark")
    record.title = title
    record.supportsContinuationStreams = true
    offered = record
    send(record)
  }

  /// Changes the title of what is offered.
  func change(title: String) throws {
    guard var record = offered else { return try offer(title: title) }
    record.title = title
    offered = record
    send(record)
  }

  private func send(_ record: ActivityRecord) {
    counter += 1
    send(Offer(activity: record, counter: counter))
  }

  /// Offers nothing.
  func withdraw() {
    guard let id = offered?.id else { return }
    offered = nil
    counter += 1
    send(Withdraw(activity: id, counter: counter))
  }

  // MARK: The session

  private func send(_ message: some MessageBody) { connection?.send(message.frame) }

  private func handle(_ event: Connection.Event) {
    switch event {
    case .established:
      let now = UInt64(Loop.clock.date)
      let hello = Hello(minimum: 1, maximum: 1, device: name, epoch: now * 1000, revocations: 0, time: now)
      session = PeerSession(hello: hello)
      timer = Timer { [weak self] in self?.handle(.wake) }
      handle(.opened)
    case .frame(let frame): receive(frame)
    case .batchEnd: acknowledge()
    case .ended:
      connection = nil
      timer = nil
      session = nil
      streams = [:]
      changed(isReady: false)
    }
  }

  private func receive(_ frame: FrameDecoder.Frame) {
    do throws(Reason) {
      if frame.type == DataFrame.type {
        receive(try DataFrame(payload: frame.payload))
        handle(.receivedData)
      } else if let message = try Message(type: frame.type, payload: frame.payload) {
        handle(.received(message))
      }
    } catch { handle(.leave(error)) }
  }

  private func handle(_ event: PeerSession.Event) {
    for effect in session?.handle(event, at: Loop.now) ?? [] {
      switch effect {
      case .send(let message): connection?.send(message.frame)
      case .ready: changed(isReady: true)
      case .deliver(let message): deliver(message)
      case .end: connection?.close()
      case .wake(let instant): timer?.set(instant)
      }
    }
  }

  private func deliver(_ message: Message) {
    switch message {
    case .handoff(.fetch(let fetch)):
      guard let offered, offered.id == fetch.activity else {
        return send(Failure(request: fetch.request, reason: .activityNotFound))
      }
      send(Payload(request: fetch.request, activity: offered))
    case .stream(.open(let open)):
      streams[open.stream] = Stream()
      send(Opened(stream: open.stream, limit: Limits.streamFirstWindow))
      acknowledge(open.stream, 0, isFinished: false)
    case .stream(.finish(let finish)):
      guard let stream = streams.removeValue(forKey: finish.stream) else { return }
      send(Finish(stream: finish.stream, length: stream.sent))
      acknowledge(finish.stream, finish.length, isFinished: true)
    case .stream(.reset(let reset)): streams[reset.stream] = nil
    case .handoff(.offer(let offer)): onOffer(offer.activity.title ?? "")
    case .session, .stream, .handoff, .team, .index: break
    }
  }

  // MARK: Streams

  private func receive(_ data: DataFrame) {
    guard var stream = streams[data.stream], data.offset == stream.received else { return }
    stream.received += UInt64(data.bytes.count)
    if data.bytes.count == 1, let byte = data.bytes.first {
      let (first, second) = DataFrame.header(stream: data.stream, offset: stream.sent, count: 1)
      let header = [first, second].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
      connection?.send(header + [byte])
      stream.sent += 1
    }
    streams[data.stream] = stream
    changed.insert(data.stream)
  }

  private func acknowledge() {
    for number in changed {
      guard let stream = streams[number], stream.received - stream.acknowledged >= Self.window / 16 || stream.sent > 0
      else { continue }
      streams[number]?.acknowledged = stream.received
      acknowledge(number, stream.received, isFinished: false)
    }
    changed = []
  }

  private func acknowledge(_ stream: UInt32, _ received: UInt64, isFinished: Bool) {
    let progress = StreamFlow.Progress(received: received, limit: received + Self.window, isFinished: isFinished)
    send(Acknowledge(stream: stream, progress: progress))
  }
}
