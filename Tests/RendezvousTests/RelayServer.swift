// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import Foundation
import Handoff
import TestSupport

/// A `strelaysrv` for one test, on a port that the kernel chose.
final class RelayServer {
  let address: RelayAddress
  private let directory: String
  private let process: ChildProcess

  init() throws {
    let directory = NSTemporaryDirectory() + "baton-relay-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    let log = open("\(directory)/log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(log) }
    process = try ChildProcess(
      [
        "/usr/bin/strelaysrv", "-listen", "127.0.0.1:0", "-pools=", "-status-srv=", "-nat=false", "-keys", directory,
      ],
      standardOutput: log,
      standardError: log
    )
    self.directory = directory
    let identifier = process.processIdentifier
    let port = try waitFor("strelaysrv listens") { Self.listeningPort(of: identifier) }
    let uri = try waitFor("strelaysrv prints its URI") {
      let text = try String(contentsOfFile: "\(directory)/log", encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      return lines.compactMap { line in line.firstRange(of: "relay://").map { line[$0.lowerBound...] } }.first
    }
    // It prints the port that it was given.
    address = try RelayAddress(uri.replacingOccurrences(of: "127.0.0.1:0/", with: "127.0.0.1:\(port)/"))
  }

  func kill() { process.send(SIGKILL) }

  deinit {
    kill()
    _ = process.waitUntilExit()
    try? FileManager.default.removeItem(atPath: directory)
  }

  /// Compares the process's sockets with those of IPv4 that listen.
  private static func listeningPort(of process: Int32) -> UInt16? {
    let folder = "/proc/\(process)/fd"
    let sockets = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    let table = FileManager.default.contents(atPath: "/proc/net/tcp").map { String(decoding: $0, as: UTF8.self) }
    for line in (table ?? "").split(separator: "\n").dropFirst() {
      let columns = line.split(separator: " ")
      guard columns.count > 9, columns[3] == "0A", sockets.contains("socket:[\(columns[9])]") else { continue }
      return columns[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
    return nil
  }
}
