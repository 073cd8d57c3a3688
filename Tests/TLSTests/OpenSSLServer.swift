// SPDX-License-Identifier: Apache-2.0

import ChildProcess
import Foundation
import TestSupport

@testable import TLS

/// `openssl s_server` with a certificate of its own, for one test. It answers each line with the same letters in
/// reverse order.
final class OpenSSLServer {
  let port: UInt16
  let certificate: Certificate
  /// Contains the certificate as that of an authority.
  let directory: String
  private let process: ChildProcess
  private let output: Int32

  /// - Parameters:
  ///   - names: The subject's alternative names, as `openssl` reads them.
  ///   - options: Further options of `openssl s_server`.
  convenience init(names: String = "DNS:relay.example,IP:127.0.0.1", options: [String] = []) throws {
    let directory = try Self.makeDirectory()
    let made = try ChildProcess([
      "/usr/bin/openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-384", "-nodes", "-keyout",
      "\(directory)/key", "-out", "\(directory)/certificate.pem", "-subj", "/CN=test", "-addext",
      "subjectAltName=\(names)",
    ])
    guard made.waitUntilExit() == 0 else { throw TestFailure("openssl req") }
    try self.init(directory: directory, options: options)
  }

  /// - Parameter certificate: Signed by itself.
  convenience init(key: PrivateKey, certificate: Certificate) throws {
    let directory = try Self.makeDirectory()
    try key.pem().write(toFile: "\(directory)/key", atomically: true, encoding: .utf8)
    try certificate.pem().write(toFile: "\(directory)/certificate.pem", atomically: true, encoding: .utf8)
    try self.init(directory: directory, options: [])
  }

  private static func makeDirectory() throws -> String {
    let directory = NSTemporaryDirectory() + "baton-openssl-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    return directory
  }

  private init(directory: String, options: [String]) throws {
    let (key, file) = ("\(directory)/key", "\(directory)/certificate.pem")
    certificate = try Certificate(pem: String(contentsOfFile: file, encoding: .utf8))
    guard try ChildProcess(["/usr/bin/openssl", "rehash", directory]).waitUntilExit() == 0 else {
      throw TestFailure("openssl rehash")
    }
    let pipe = try ChildProcess.pipe()
    process = try ChildProcess(
      ["/usr/bin/openssl", "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", file, "-rev"] + options,
      standardOutput: pipe.writing
    )
    close(pipe.writing)
    (self.directory, output) = (directory, pipe.reading)
    var said: [UInt8] = []
    port = try waitFor("openssl listens") {
      var buffer = [UInt8](repeating: 0, count: 1024)
      let count = read(pipe.reading, &buffer, buffer.count)
      guard count > 0 else { throw TestFailure("openssl s_server") }
      said += buffer.prefix(count)
      let line = String(decoding: said, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        .dropLast().last { $0.hasPrefix("ACCEPT ") }
      return line?.split(separator: ":").last.flatMap { UInt16($0) }
    }
  }

  deinit {
    process.send(SIGKILL)
    _ = process.waitUntilExit()
    close(output)
    try? FileManager.default.removeItem(atPath: directory)
  }
}
