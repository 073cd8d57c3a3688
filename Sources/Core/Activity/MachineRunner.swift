// SPDX-License-Identifier: Apache-2.0

/// Gives events to a machine one after the other. The effects of an event can cause further events, which wait until
/// all of its effects have been performed.
package final class MachineRunner<Event> {
  private var events: [Event] = []
  private var isRunning = false

  package init() {}

  /// - Parameters:
  ///   - before: Runs first. Events that it causes come after `event`.
  ///   - handle: Lets the machine decide on an event, and performs the effects. It is called for each event that waits.
  /// - Returns: Whether nothing waits any longer. False if `event` waits because another is being handled.
  package func run(_ event: Event, after before: () -> Void = {}, handle: (Event) -> Void) -> Bool {
    events.append(event)
    let isNested = isRunning
    isRunning = true
    before()
    guard !isNested else { return false }
    while !events.isEmpty { handle(events.removeFirst()) }
    isRunning = false
    return true
  }
}
