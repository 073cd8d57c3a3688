import ControlClient
import ControlInterface
import EventLoop
import Glibc

/// How long a person waits, with a session that is there.
enum Latency {
  /// - Returns: Lines of JSON with milliseconds: from becoming current to being listed by the other machine, and from
  ///   continuing to having the payload.
  static func measure(origin: String, receiver: String, rounds: Int) throws -> [String] {
    var offers = try Handoff.offers(receiver)
    var listed: [Double] = []
    var continued: [Double] = []
    for _ in 0..<rounds {
      var start = ContinuousClock.now
      let (held, id) = try Handoff.publish(origin)
      try Handoff.awaitOffer(id, &offers)
      listed.append((ContinuousClock.now - start) / .milliseconds(1))
      let connection = try ControlConnection(path: receiver)
      start = .now
      _ = try connection.call(Continue.self, .init(id: id))
      continued.append((ContinuousClock.now - start) / .milliseconds(1))
      withExtendedLifetime(held) {}
    }
    return [line("publish to listed", listed), line("continue", continued)]
  }

  private static func line(_ name: String, _ values: [Double]) -> String {
    let sorted = values.sorted()
    func quantile(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] }
    guard !sorted.isEmpty else { return "{}" }
    return
      #"{"what":"\#(name)","rounds":\#(sorted.count),"p50":\#(quantile(0.5)),"p99":\#(quantile(0.99)),"max":\#(quantile(1))}"#
  }
}
