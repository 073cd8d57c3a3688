// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import EventLoop
import Foundation

/// The private network that Tests/Lab/avahi-lab made around this process, if it did.
enum Lab {
  static let environment = ProcessInfo.processInfo.environment
  static let hosts = (environment["LAB_HOSTS"] ?? "").split(separator: " ").map(String.init)
  /// If this is false, the suites that need their own network are skipped, and the test run says so.
  static let isThere = environment["LAB_DIR"] != nil
  static let hasTwoHosts = isThere && hosts.count > 1
  static var host: String { hosts.first ?? "a" }

  struct Failure: Error {
    let output: String
  }

  /// Runs a verb of the lab, such as `avahi-kill`, for the host that this process is on.
  static func control(_ verb: String) async throws { try await run(environment["LAB_CTL"] ?? "", [verb, host]) }

  /// Runs a command on a host.
  @discardableResult
  static func on(_ host: String, _ command: String...) async throws -> String {
    try await run(environment["LAB_ON"] ?? "", [host] + command)
  }

  /// Starts a command on a host, and ends it after the body.
  @Loop
  static func with(_ command: [String], on host: String, _ body: @Loop () async throws -> Void) async throws {
    let process = try ChildProcess([environment["LAB_ON"] ?? "", host] + command)
    defer {
      process.send(SIGTERM)
      _ = process.waitUntilExit()
    }
    try await body()
  }

  @discardableResult
  private static func run(_ path: String, _ arguments: [String]) async throws -> String {
    // This is a file and not a pipe, because the daemons that are started inherit it.
    let output = FileManager.default.temporaryDirectory.appending(path: "lab-\(UUID().uuidString)")
    _ = FileManager.default.createFile(atPath: output.path, contents: nil)
    defer { try? FileManager.default.removeItem(at: output) }
    let handle = try FileHandle(forWritingTo: output)
    let descriptor = handle.fileDescriptor
    let process = try ChildProcess([path] + arguments, standardOutput: descriptor, standardError: descriptor)
    let status = await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: process.waitUntilExit()) }
    }
    try handle.close()
    let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
    guard status == 0 else { throw Failure(output: "\(arguments): \(text)") }
    return text
  }
}
