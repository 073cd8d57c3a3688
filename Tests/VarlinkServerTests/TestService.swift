// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation
import JSONCoding
import Varlink

@testable import VarlinkServer

/// A server with the test methods on its own socket, and a record of what happened to it.
@Loop
final class TestService {
  let server: VarlinkServer
  var echoed: [String] = []
  var later: [Exchange<Later>] = []
  var watchers: [Exchange<Watch>] = []
  var upgraded: [(descriptor: Int32, rest: [UInt8])] = []
  var closed = 0
  var drops: [DropReason] = []
  var isStopped = false
  /// Whether the handler of ``Later`` is told that its client goes away.
  var mayBeCutOff = true
  /// How much each call of ``Echo`` adds to the server's clock.
  var echoTime = Duration.zero
  private var timeOfEchoes = Duration.zero

  nonisolated static let limits = ServerLimits(
    messageLength: 64 * 1024,
    messageDepth: 16,
    connections: Share(total: 1024, perUser: 512, forOthers: 0, forRoot: 0),
    sendQueueLength: 1024 * 1024
  )

  init(path: String, limits: ServerLimits) throws {
    server = VarlinkServer(
      product: Product(vendor: "Baton", product: "test", version: "1", url: "https://example.org"),
      limits: limits
    )
    server.add(.test)
    server.onDrop = { [weak self] reason, _ in self?.drops.append(reason) }
    server.clock = { [weak self] in Loop.now + (self?.timeOfEchoes ?? .zero) }
    server.on(Echo.self) { [weak self] parameters, exchange in
      self?.echoed.append(parameters.text)
      self?.timeOfEchoes += self?.echoTime ?? .zero
      exchange.reply(Text(parameters.text))
    }
    server.on(Later.self) { [weak self] _, exchange in
      if self?.mayBeCutOff == true { exchange.onClosed = { self?.closed += 1 } }
      self?.later.append(exchange)
    }
    server.on(Watch.self) { [weak self] _, exchange in
      exchange.onClosed = { self?.closed += 1 }
      self?.watchers.append(exchange)
      exchange.replyContinuing(Text("now"))
    }
    server.on(Raw.self) { [weak self] parameters, exchange in
      guard parameters.text != "refuse" else { return exchange.fail("org.example.test.Refused", ["why": "asked to"]) }
      exchange.onClosed = { self?.closed += 1 }
      exchange.upgrade(Nothing()) { self?.upgraded.append(($0, $1)) }
    }
    server.on(Forgotten.self) { _, _ in }
    server.listen(owning: try Sockets.listen(path: path, mode: 0o666))
  }
}

/// Runs `body` with a service on a socket in its own directory.
func withService(
  _ limits: ServerLimits = TestService.limits,
  _ body: (TestService, _ path: String) async throws -> Void
) async throws {
  let directory = FileManager.default.temporaryDirectory.appending(path: "varlink-\(UUID().uuidString.prefix(8))")
  try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)
  defer { try? FileManager.default.removeItem(at: directory) }
  let path = directory.appending(path: "s").path
  let service = try await TestService(path: path, limits: limits)
  do {
    try await body(service, path)
  } catch {
    await service.stop()
    throw error
  }
  await service.stop()
}

extension TestService {
  /// Stops the server, so that nothing is left that ends on the loop after the test.
  fileprivate func stop() async {
    await withCheckedContinuation { continuation in server.close(by: .now) { continuation.resume() } }
    later = []
    watchers = []
  }
}

/// Waits until `condition` holds, and records an issue if it does not hold within 60 s.
func eventually(_ what: String, _ condition: @Loop () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(60)
  while await !condition() {
    guard .now < deadline else { throw DeadlinePassed(waitedFor: what) }
    try await Task.sleep(for: .milliseconds(2))
  }
}

struct DeadlinePassed: Error {
  let waitedFor: String
}
