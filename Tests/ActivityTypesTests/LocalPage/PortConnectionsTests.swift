// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing

@testable import ActivityTypes

struct PortConnectionsTests {
  private static let frames: [PortFrame] = [
    .open(1, port: 8000), .data(1, [1, 2, 3]), .taken(1, count: 70000), .end(1), .reset(2, .otherUser),
  ]

  @Test func framesArriveInPiecesOfAnyLength() throws {
    // One of a kind that only a newer machine knows.
    let bytes = Self.frames.flatMap(\.bytes) + [99, 0, 0, 0, 9, 0, 1, 7] + PortFrame.end(7).bytes
    for length in 1...bytes.count {
      var decoder = PortFrameDecoder()
      var frames: [PortFrame] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        decoder.receive(rest.prefix(length))
        rest = rest.dropFirst(length)
        while let frame = try decoder.next() { frames.append(frame) }
      }
      #expect(frames == Self.frames + [.end(7)] && decoder.pendingCount == 0)
    }
  }

  @Test(
    arguments: [
      [1, 0, 0, 0, 1, 0, 2, 0, 0], [1, 0, 0, 0, 1, 0, 1, 9], [2, 0, 0, 0, 1, 0, 0], [2, 0, 0, 0, 1, 64, 1],
      [3, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0], [4, 0, 0, 0, 1, 0, 1, 1], [5, 0, 0, 0, 1, 0, 0],
    ] as [[UInt8]]
  )
  func malformedFramesEndTheStream(_ bytes: [UInt8]) {
    var decoder = PortFrameDecoder()
    decoder.receive(bytes)
    #expect(throws: MalformedPortFrame()) { try decoder.next() }
  }

  @Test func aNewerReasonIsSomeReason() throws {
    var decoder = PortFrameDecoder()
    decoder.receive([5, 0, 0, 0, 1, 0, 1, 200])
    let frame = try decoder.next()
    #expect(frame == .reset(1, .broken))
  }

  /// One end of the stream, as an object.
  private final class End {
    private var table: PortConnections

    init(isOrigin: Bool) { table = PortConnections(isOrigin: isOrigin) }

    var count: Int { table.count }

    func credit(_ id: UInt32) -> Int { table.credit(id) }

    func open(port: UInt16) -> (id: UInt32, frame: PortFrame)? { table.open(port: port) }

    func send(_ id: UInt32, _ bytes: ArraySlice<UInt8>) -> [PortFrame] { table.send(id, bytes) }

    func take(_ id: UInt32, _ count: Int) -> PortFrame? { table.take(id, count) }

    func end(_ id: UInt32) -> PortFrame? { table.end(id) }

    func reset(_ id: UInt32, _ failure: ForwardingFailure) -> PortFrame? { table.reset(id, failure) }

    func receive(_ frame: PortFrame) throws -> (event: PortConnections.Event?, reply: PortFrame?) {
      try table.receive(frame)
    }
  }

  private static func pair() throws -> (receiver: End, origin: End) {
    let pair = (receiver: End(isOrigin: false), origin: End(isOrigin: true))
    let (id, frame) = try #require(pair.receiver.open(port: 8000))
    #expect(try pair.origin.receive(frame).event == .opened(id, port: 8000))
    return pair
  }

  @Test func aSlowReaderStopsItsSender() throws {
    let (receiver, origin) = try Self.pair()
    let data = [UInt8](repeating: 1, count: LocalPageLimits.window + 5)
    var received = 0
    for frame in origin.send(1, data[...]) {
      guard case .received(1, let bytes)? = try receiver.receive(frame).event else { continue }
      received += bytes.count
    }
    #expect(received == LocalPageLimits.window && origin.credit(1) == 0 && origin.send(1, [1]).isEmpty)
    #expect(receiver.take(1, 1) == nil)
    let taken = try #require(receiver.take(1, LocalPageLimits.window))
    #expect(try origin.receive(taken).event == .space(1))
    #expect(origin.credit(1) == LocalPageLimits.window)
  }

  @Test func moreThanTheWindowEndsTheStream() throws {
    let (receiver, _) = try Self.pair()
    let full = [UInt8](repeating: 0, count: PortFrame.payloadLength)
    for _ in 0..<(LocalPageLimits.window / full.count) { _ = try receiver.receive(.data(1, full[...])) }
    #expect(throws: MalformedPortFrame()) { try receiver.receive(.data(1, [1])) }
    #expect(throws: MalformedPortFrame()) { try receiver.receive(.taken(1, count: 1)) }
    #expect(throws: MalformedPortFrame()) { try receiver.receive(.taken(1, count: .max)) }
  }

  @Test func bothDirectionsEndOnTheirOwn() throws {
    let (receiver, origin) = try Self.pair()
    #expect(try origin.receive(#require(receiver.end(1))).event == .ended(1))
    #expect(receiver.end(1) == nil && receiver.send(1, [1]).isEmpty)
    #expect(throws: MalformedPortFrame()) { try origin.receive(.data(1, [1])) }
    #expect(throws: MalformedPortFrame()) { try origin.receive(.end(1)) }
    let frames = origin.send(1, [7])
    #expect(try receiver.receive(#require(frames.first)).event == .received(1, [7]))
    #expect(try receiver.receive(#require(origin.end(1))).event == .ended(1))
    #expect(receiver.count == 0 && origin.count == 0)
  }

  @Test func whatCrossesAResetIsIgnored() throws {
    let (receiver, origin) = try Self.pair()
    let data = origin.send(1, [1])
    let reset = try #require(receiver.reset(1, .broken))
    #expect(try receiver.receive(#require(data.first)).event == nil)
    #expect(try origin.receive(reset).event == .reset(1, .broken))
    #expect(receiver.reset(1, .broken) == nil && origin.end(1) == nil && origin.take(1, 5) == nil)
    #expect(throws: MalformedPortFrame()) { try origin.receive(.end(2)) }
    #expect(throws: MalformedPortFrame()) { try origin.receive(.end(0)) }
  }

  @Test func onlyTheReceiverOpensAndNumbersGrow() throws {
    let (receiver, origin) = try Self.pair()
    #expect(origin.open(port: 1) == nil)
    #expect(throws: MalformedPortFrame()) { try receiver.receive(.open(2, port: 1)) }
    #expect(throws: MalformedPortFrame()) { try origin.receive(.open(1, port: 1)) }
    #expect(throws: MalformedPortFrame()) { try origin.receive(.open(0, port: 1)) }
  }

  @Test func thereAreNotTooMany() throws {
    let (receiver, origin) = try Self.pair()
    for _ in 1..<LocalPageLimits.connections { _ = try origin.receive(#require(receiver.open(port: 1)).frame) }
    #expect(receiver.open(port: 1) == nil)
    let (event, reply) = try origin.receive(.open(1000, port: 1))
    #expect(event == nil && reply == .reset(1000, .tooMany) && origin.count == LocalPageLimits.connections)
  }

  @Test func theOriginGivesTheStreamUp() throws {
    let (receiver, origin) = try Self.pair()
    let frame = PortFrame.reset(PortFrame.stream, .noAgent)
    #expect(try receiver.receive(frame).event == .refused(.noAgent))
    #expect(throws: MalformedPortFrame()) { try origin.receive(frame) }
  }
}
