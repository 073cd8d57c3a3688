import Baton

/// The ways in which apps use streams.
enum Style: String, CaseIterable {
  /// Events on the main run loop.
  case main
  /// Events on another thread's run loop.
  case runLoop
  /// One blocking thread for each direction.
  case threads
  /// A write loop on a global queue, while the callback reads to the end.
  case callback

  /// - Parameter completion: Called once, on any thread.
  func run(_ exchange: Exchange, completion: @escaping @Sendable (Exchange) -> Void) {
    // Each direction of an exchange is used by one thread at a time.
    nonisolated(unsafe) let exchange = exchange
    switch self {
    case .main:
      DispatchQueue.main.async {
        exchange.onEnd = { completion(exchange) }
        exchange.schedule(in: .main)
      }
    case .runLoop:
      Thread {
        var isOver = false
        exchange.onEnd = { isOver = true }
        exchange.schedule(in: .current)
        while !isOver, RunLoop.current.run(mode: .default, before: .distantFuture) {}
        completion(exchange)
      }.start()
    case .threads:
      exchange.open()
      let group = DispatchGroup()
      for work in [exchange.write, exchange.read] {
        nonisolated(unsafe) let work = work
        group.enter()
        Thread {
          while work() {}
          group.leave()
        }.start()
      }
      group.notify(queue: .global()) { completion(exchange) }
    case .callback:
      exchange.open()
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { while exchange.write() {} }
      while exchange.read() {}
      group.wait()
      completion(exchange)
    }
  }
}
