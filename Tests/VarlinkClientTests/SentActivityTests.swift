// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import TestSupport
import Testing
import VarlinkClient
import VarlinkServer

/// A held activity that is sent to one device, at a daemon that answers as the test wants.
struct SentActivityTests {
  @Loop
  private final class Scene: ActivityHolder {
    /// The first owns the socket's directory.
    private var daemons: [FakeDaemon] = []
    let recipient = DeviceID(bytes: Array(repeating: 7, count: DeviceID.byteCount))
    let id = ActivityID(randomBytes: (1, 2))
    var held: HeldActivity?
    var calls: [(SendActivity.Parameters, Exchange<SendActivity>)] = []
    var events: [String] = []

    init() throws {
      let daemon = try FakeDaemon()
      start(daemon)
      held = HeldActivity(id, path: daemon.path, holder: self)
      held?.becomeCurrent()
    }

    private func start(_ daemon: FakeDaemon) {
      daemons.append(daemon)
      daemon.on(SendActivity.self) { [weak self] parameters, exchange in
        guard let self else { return }
        exchange.stayOpen()
        exchange.replyContinuing(SendActivity.Reply(id: self.id, event: .sent))
        self.calls.append((parameters, exchange))
      }
      daemon.on(UpdateActivity.self) { [weak self] parameters, exchange in
        self?.events.append("updated: \(parameters.activity.title ?? "")")
        exchange.reply(UpdateActivity.Reply())
      }
    }

    /// Stops the daemon, and starts another one.
    func restart() {
      let path = daemons[0].path
      for (_, exchange) in calls {
        exchange.replyContinuing(SendActivity.Reply(id: id, event: .resigned, reason: .shuttingDown))
      }
      unlink(path)
      daemons[0].close { [weak self] in
        if let daemon = try? FakeDaemon(path: path) { self?.start(daemon) }
      }
    }

    func published() -> ControlActivity? {
      var activity = ControlActivity(id: id, activityType: "org.example.page")
      activity.title = "Page"
      activity.needsSave = true
      return activity
    }

    func takeChange() {}
    func wasRefused(_ failure: ControlFailure) { events.append("refused: \(failure.reason)") }
    func wasContinued(on device: String?) { events.append("continued: \(device ?? "")") }
    func streamWasRequested(_ stream: String) { events.append("stream: \(stream)") }

    func save(_ completion: @escaping @Loop (Bool) -> Void) {
      events.append("save")
      completion(false)
    }

    func stop() {
      held = nil
      calls = []
      for daemon in daemons { daemon.close() }
    }
  }

  @Test func itIsSentAndLivesAsACurrentOne() throws {
    let scene = try onLoop { try Scene() }
    try waitUntil("It is sent") { try onLoop { scene.calls.count == 1 } }
    let parameters = try onLoop { scene.calls[0].0 }
    #expect(parameters.deviceID == scene.recipient && parameters.activity.id == scene.id)
    try onLoop { scene.calls[0].1.replyContinuing(SendActivity.Reply(id: scene.id, event: .willSave)) }
    try waitUntil("It is saved") { try onLoop { scene.events == ["save", "updated: Page"] } }
    try onLoop {
      let exchange = scene.calls[0].1
      exchange.replyContinuing(SendActivity.Reply(id: scene.id, event: .continued, device: "desktop"))
      exchange.replyContinuing(
        SendActivity.Reply(id: scene.id, event: .streamRequested, device: "desktop", stream: "s")
      )
    }
    try waitUntil("It is continued") {
      try onLoop { scene.events.suffix(2) == ["continued: desktop", "stream: s"] }
    }
    try onLoop { scene.stop() }
  }

  @Test func itIsSentAgainAfterARestart() throws {
    let scene = try onLoop { try Scene() }
    try waitUntil("It is sent") { try onLoop { scene.calls.count == 1 } }
    try onLoop { scene.restart() }
    try waitUntil("It is sent again") { try onLoop { scene.calls.count == 2 } }
    try onLoop { scene.stop() }
  }
}
