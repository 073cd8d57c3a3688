// SPDX-License-Identifier: Apache-2.0

/// What `benchmark` was asked.
struct Options {
  static let usage = """
    Usage: benchmark throughput ROUTE --bytes N | --seconds S [--streams N] [--both] [--limit S]
           benchmark echo ROUTE --rounds N [--pause MS] [--beside S]
           benchmark latency --baton ORIGIN RECEIVER --rounds N [--pause MS] [--beside S]
    ROUTE is --baton ORIGIN RECEIVER, the control sockets of two daemons; or --sockets SOURCE SINK, the paths of Unix
    sockets: something listens at SOURCE, and connects to SINK for each connection.
      throughput   so many bytes, or for so long, over one stream or several, in one direction or in both
      echo         one byte there and back
      latency      an activity that becomes current until the other machine lists it, and continuing it
      --beside S   the same while another stream is full; it has so many seconds to begin
      --limit S    when to give up (default: 600)
    The figures are printed as JSON, in seconds. The exit status is 1 if something refuses, and 65 if other bytes arrive
    than were sent.
    """

  enum Question: String { case throughput, echo, latency }
  struct Failure: Error {}

  let question: Question
  private(set) var route: Route?
  private(set) var bytes: Int?
  private(set) var seconds: Double?
  private(set) var streams = 1
  private(set) var rounds = 1
  private(set) var pause = 0.0
  private(set) var beside: Double?
  private(set) var limit = 600.0
  private(set) var isBothWays = false

  init(_ arguments: ArraySlice<String>) throws {
    var rest = arguments
    guard let question = rest.popFirst().flatMap(Question.init) else { throw Failure() }
    self.question = question
    func word() throws -> String {
      guard let word = rest.popFirst() else { throw Failure() }
      return word
    }
    func number(_ range: ClosedRange<Double>) throws -> Double {
      guard let number = Double(try word()), range.contains(number) else { throw Failure() }
      return number
    }
    while let option = rest.popFirst() {
      switch option {
      case "--baton": route = .baton(origin: try word(), receiver: try word())
      case "--sockets": route = .sockets(source: try word(), sink: try word())
      case "--bytes": bytes = Int(try number(1...1e15))
      case "--seconds": seconds = try number(0.01...1e5)
      case "--streams": streams = Int(try number(1...1e5))
      case "--rounds": rounds = Int(try number(1...1e7))
      case "--pause": pause = try number(0...1e5)
      case "--beside": beside = try number(0...1e5)
      case "--limit": limit = try number(0.1...1e5)
      case "--both": isBothWays = true
      default: throw Failure()
      }
    }
    guard route != nil, question != .throughput || (bytes == nil) != (seconds == nil) else { throw Failure() }
    if question == .latency, case .sockets = route { throw Failure() }
  }

  var takenRoute: Route {
    get throws {
      guard let route else { throw Failure() }
      return route
    }
  }
}
