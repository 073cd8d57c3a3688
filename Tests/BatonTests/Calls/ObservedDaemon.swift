// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import TestSupport
import Testing
import Varlink
import VarlinkServer

/// A fake daemon that keeps the current activity of this process, as the daemon does.
@Loop
final class ObservedDaemon {
  private let daemon: FakeDaemon
  private(set) var current: ControlActivity?
  /// How many complete states apps have saved.
  private(set) var savedCount = 0
  private var holders: [ActivityID: Exchange<BecomeCurrent>] = [:]

  init() throws {
    daemon = try FakeDaemon()
    setenv("BATON_SOCKET", daemon.path, 1)
    // The process ends with its test, so that this object stays until then.
    daemon.on(BecomeCurrent.self) { self.becomeCurrent($0.activity, $1) }
    daemon.on(UpdateActivity.self) { self.update($0.activity, $1) }
    daemon.on(ResignCurrent.self) { parameters, exchange in
      if self.current?.id == parameters.id { self.end(.resigned) }
      exchange.reply(Nothing())
    }
  }

  private func becomeCurrent(_ activity: ControlActivity, _ exchange: Exchange<BecomeCurrent>) {
    guard let id = activity.id else { return exchange.fail(ControlFailure.name, [:]) }
    if (activity.userInfo?.bytes.count ?? 0) > Limits.userInfoLength {
      let failure = ControlFailure(.userInfoTooLarge, message: "It is too large")
      return exchange.fail(ControlFailure.name, failure.members)
    }
    if let other = current?.id, other != id { end(.resigned) }
    current = activity
    holders[id] = exchange
    exchange.replyContinuing(BecomeCurrent.Reply(id: id, event: .current))
    exchange.stayOpen { [weak exchange] in
      // A call that another one has replaced says nothing.
      guard let holder = self.holders[id], holder === exchange else { return }
      self.holders[id] = nil
      if self.current?.id == id { self.current = nil }
    }
  }

  private func update(_ activity: ControlActivity, _ exchange: Exchange<UpdateActivity>) {
    if current?.id == activity.id { current = activity }
    if !activity.needsSave { savedCount += 1 }
    exchange.reply(UpdateActivity.Reply())
  }

  private func end(_ event: BecomeCurrent.Event) {
    guard let id = current?.id else { return }
    current = nil
    holders[id]?.replyContinuing(BecomeCurrent.Reply(id: id, event: event))
  }

  // MARK: What other machines do

  /// Asks the app for its state.
  func fetch() {
    guard let id = current?.id else { return }
    holders[id]?.replyContinuing(BecomeCurrent.Reply(id: id, event: .willSave))
  }

  /// Tells the app that its activity was continued.
  func take() { end(.continued) }
}

/// Waits until a condition holds, and leaves the main thread free.
@MainActor
func settle(
  _ claim: @autoclosure () -> String,
  _ condition: @MainActor () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + patience
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw TestFailure("Not in time: \(claim())") }
    try await Task.sleep(for: .milliseconds(1))
  }
}

/// Runs the body of an exit test on the main actor beside a daemon, because the library finds its daemon through the
/// environment.
@MainActor
func withDaemon(_ body: @MainActor (ObservedDaemon) async throws -> Void) async {
  do {
    let daemon = try await ObservedDaemon()
    try await body(daemon)
  } catch {
    Issue.record(error)
  }
}
