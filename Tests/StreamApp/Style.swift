// SPDX-License-Identifier: Apache-2.0

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
  /// As `callback`, but it only releases its output, and lives on.
  case release
  /// As `release`, with a delegate that does not take streams, or a handler that ignores them.
  case ignore

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
    case .ignore: break
    case .release:
      DispatchQueue.global().async {
        exchange.open()
        while exchange.write() {}
        // Who called this has it, too.
        while !exchange.isReleased { usleep(1000) }
        while exchange.read() {}
        completion(exchange)
      }
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
