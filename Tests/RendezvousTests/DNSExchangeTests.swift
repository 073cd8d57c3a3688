import Activity
import Testing

@testable import Rendezvous

struct DNSExchangeTests {
  private let start = ContinuousClock.now

  @Test(arguments: [1, 2, 5, 1000])
  func theResponseMayComeInPieces(_ count: Int) throws {
    var exchange = DNSSamples.exchange(at: start)
    let deadline = start + Limits.dnsReplyTime
    #expect(exchange.handle(.connected, at: start) == [.send(DNSSamples.queryFrame), .wake(at: deadline)])
    var rest = DNSSamples.queryResponseFrame[...]
    var effects: [DNSExchange.Effect] = []
    while !rest.isEmpty {
      #expect(effects == [] || effects == [.wake(at: deadline)])
      effects = exchange.handle(.received(Array(rest.prefix(count))), at: start)
      rest = rest.dropFirst(count)
    }
    guard case .done(.success(let answer)) = effects.first, effects.last == .wake(at: nil) else {
      Issue.record("\(effects)")
      return
    }
    #expect(answer.records.map(\.bytes) == [Array("new".utf8)])
    for event in [DNSExchange.Event.received([1]), .closed, .wake, .connected] {
      #expect(exchange.handle(event, at: start) == [])
    }
  }

  @Test func itEndsInTime() {
    var exchange = DNSSamples.exchange(at: start)
    let deadline = start + Limits.dnsReplyTime
    #expect(exchange.handle(.wake, at: start) == [.wake(at: deadline)])
    // A server that says something now and then does not get more time.
    #expect(exchange.handle(.received([0]), at: deadline - .seconds(1)) == [.wake(at: deadline)])
    #expect(exchange.handle(.wake, at: deadline) == [.done(.failure(.timedOut)), .wake(at: nil)])
  }

  @Test func theConnectionMustStayUntilTheResponse() {
    for count in [0, 1, 2, 100] {
      var exchange = DNSSamples.exchange(at: start)
      _ = exchange.handle(.received(Array(DNSSamples.queryResponseFrame.prefix(count))), at: start)
      #expect(exchange.handle(.closed, at: start).first == .done(.failure(.closed)))
    }
  }

  @Test func anotherMessageIsNoResponse() {
    var exchange = DNSSamples.exchange(id: DNSSamples.queryID ^ 1, at: start)
    let other = DNSFailure.malformed("the response to another message")
    #expect(exchange.handle(.received(DNSSamples.queryResponseFrame), at: start).first == .done(.failure(other)))
    exchange = DNSSamples.exchange(at: start)
    #expect(
      exchange.handle(.received([0, 0]), at: start).first == .done(.failure(.malformed("the message is too short")))
    )
    // Its own request, which comes back.
    exchange = DNSSamples.exchange(at: start)
    #expect(
      exchange.handle(.received(DNSSamples.queryFrame), at: start).first
        == .done(.failure(.malformed("it is not a response")))
    )
  }
}
