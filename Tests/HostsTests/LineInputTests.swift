// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc
import Hosts
import TestSupport
import Testing

@Suite(.isolated)
struct LineInputTests {
  private func events(_ text: String, limit: Int = 10) async -> [LineInput.Event] {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return [] }
    _ = Array(text.utf8).withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    defer { close(ends[0]) }
    let (stream, continuation) = AsyncStream.makeStream(of: LineInput.Event.self)
    LineInput.read(ends[0], limit: limit) { event in
      continuation.yield(event)
      if event == .ended || event == .tooLong { continuation.finish() }
    }
    return await stream.reduce(into: []) { $0.append($1) }
  }

  @Test func linesAreSplit() async {
    #expect(await events("a\n\nbc\n") == [.line([97]), .line([]), .line([98, 99]), .ended])
  }

  @Test func theLastLineNeedsNoEnd() async {
    #expect(await events("a\nb") == [.line([97]), .line([98]), .ended])
  }

  @Test func nothingFollowsALineThatIsTooLong() async {
    #expect(await events("a\n12345678901\nb\n") == [.line([97]), .tooLong])
    #expect(await events("12345678901") == [.tooLong])
  }

  @Test @Loop func aProgramThatTakesThePlaceLosesNothing() async throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let (reading, writing) = (ends[0], ends[1])
    defer { close(reading) }
    func put(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write(writing, $0.baseAddress, $0.count) } }
    func isAtRest(_ input: LineInput) -> Bool {
      var isAtRest = false
      input.whileAtRest { isAtRest = true }
      return isAtRest
    }
    // The second line has not ended.
    put("a\nb")
    let (stream, continuation) = AsyncStream.makeStream(of: LineInput.Event.self)
    let input = LineInput.read(reading, limit: 10) { continuation.yield($0) }
    var events = stream.makeAsyncIterator()
    var rested = isAtRest(input)
    #expect(await events.next() == .line([97]))
    for _ in 0..<100 {
      rested = rested || isAtRest(input)
      await Task.yield()
    }
    #expect(!rested)
    put("\n")
    #expect(await events.next() == .line([98]))
    while !isAtRest(input) { await Task.yield() }
    var unread: Int32 = 0
    input.whileAtRest {
      put("c\n")
      _ = ioctl(reading, UInt(FIONREAD), &unread)
    }
    #expect(unread == 2)
    #expect(await events.next() == .line([99]))
    close(writing)
    #expect(await events.next() == .ended)
  }
}
