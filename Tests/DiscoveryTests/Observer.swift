// SPDX-License-Identifier: Apache-2.0

import Discovery
import EventLoop
import Foundation
import Testing

/// Records the events of an ``AvahiDiscovery``.
@Loop
final class Observer {
  let discovery: AvahiDiscovery
  private(set) var events: [DiscoveryEvent] = []

  init() {
    discovery = AvahiDiscovery { _ in }
    discovery.look { _ in true }
    discovery.onEvent = { [weak self] in self?.events.append($0) }
  }

  func forget() { events = [] }

  /// Returns the last text that was reported; nil if the instance has been lost since.
  func text(of instance: String) -> [[UInt8]]? {
    var text: [[UInt8]]?
    for event in events {
      switch event {
      case .found(instance, let newest): text = newest
      case .lost(instance): text = nil
      default: break
      }
    }
    return text
  }

  func stop() async {
    await withCheckedContinuation { continuation in discovery.stop { continuation.resume() } }
  }
}

/// Waits until `condition` holds, and records an issue if it does not hold in time.
@Loop
func expect(
  within time: Duration = .seconds(10),
  _ claim: String,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ condition: @Loop () -> Bool
) async throws {
  let deadline = ContinuousClock.now + time
  while !condition() {
    guard ContinuousClock.now < deadline else {
      Issue.record("\(claim), within \(time)", sourceLocation: sourceLocation)
      return
    }
    try await Task.sleep(for: .milliseconds(5))
  }
}

/// Starts observers, runs the body, and always stops the observers.
@Loop
func withObservers(_ count: Int, _ body: @Loop ([Observer]) async throws -> Void) async throws {
  let observers = (0..<count).map { _ in Observer() }
  for observer in observers { observer.discovery.start() }
  do {
    try await body(observers)
  } catch {
    for observer in observers { await observer.stop() }
    throw error
  }
  for observer in observers { await observer.stop() }
}

/// Returns a publication with unique names.
func makePublication(text: String = "a", port: UInt16 = 22866) -> ServiceInstance {
  func label() -> String { String(UUID().uuidString.filter(\.isHexDigit).prefix(26)) }
  return ServiceInstance(
    instance: label(),
    host: label(),
    port: port,
    text: [Array("txtvers=1".utf8), Array(text.utf8)]
  )
}

/// Returns how many descriptors this process has open.
func descriptorCount() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }
