import Dispatch
import Glibc

/// Signals as events of the loop.
@Loop
package final class Signals {
  private var sources: [any DispatchSourceSignal] = []

  package init() {}

  /// Calls `handler` for each `number` that arrives from now on, instead of what the kernel would do.
  package func on(_ number: Int32, _ handler: @escaping @Loop () -> Void) {
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: Loop.queue)
    source.setEventHandler { handler() }
    source.resume()
    sources.append(source)
  }

  /// Writing to a connection that is gone is an error of that write, not the end of the process.
  package nonisolated static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
