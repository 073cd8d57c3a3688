// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import Desktop
import Foundation
import TestSupport

/// The files of two machines, for one test.
final class Machines {
  let root: String
  /// What is sent is below this.
  var here: String { "\(root)/here" }
  var there: String { "\(root)/there" }

  init() throws {
    let path = NSTemporaryDirectory() + "baton-transfer-" + UUID().uuidString
    for name in ["here", "there"] {
      try FileManager.default.createDirectory(atPath: "\(path)/\(name)", withIntermediateDirectories: true)
    }
    guard let real = realpath(path, nil) else { throw TestFailure("realpath") }
    defer { free(real) }
    root = String(cString: real)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  @discardableResult
  func write(_ data: Data, to name: String) throws -> String {
    let path = "\(here)/\(name)"
    let folder = (path as NSString).deletingLastPathComponent
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard FileManager.default.createFile(atPath: path, contents: data) else { throw TestFailure(path) }
    return path
  }

  func content(_ name: String) -> Data? { FileManager.default.contents(atPath: "\(there)/\(name)") }

  func names(_ folder: String = "") -> [String] {
    let names = try? FileManager.default.contentsOfDirectory(atPath: "\(there)/\(folder)")
    return (names ?? []).sorted()
  }

  static func random(_ count: Int) -> Data {
    var generator = SystemRandomNumberGenerator()
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: generator.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }

  /// Sends files once.
  ///
  /// - Parameter limit: The number of bytes after which the stream breaks.
  func attempt(
    _ names: [String],
    limit: Int = .max,
    allowance: FileReceiver.Allowance = FileReceiver.Allowance(),
    sending: TransferControl = TransferControl(),
    receiving: TransferControl = TransferControl()
  ) throws -> Attempt {
    let paths = names.map { $0.hasPrefix("/") ? Array($0.utf8) : Array("\(here)/\($0)".utf8) }
    let wire = try Wire(limit: limit)
    let origin = wire.origin
    let sender = onThread {
      defer { shutdown(origin, Int32(SHUT_RDWR)) }
      return try FileSender.send(paths, over: origin, sending)
    }
    let (receiver, there) = (wire.receiver, there)
    let received = Result {
      let staging = try StagingFolder(in: there, transfer: "t")
      let result = try FileReceiver.receive(over: receiver, into: staging, allowance, receiving)
      staging.remove()
      return result
    }
    shutdown(receiver, Int32(SHUT_RDWR))
    let sent = Result { try sender.wait() }
    return Attempt(sent: sent, received: received, bytes: try wire.close())
  }
}

/// What both sides say about one attempt.
struct Attempt {
  var sent: Result<FileSender.Result, any Error>
  var received: Result<FileReceiver.Result, any Error>
  /// The number of bytes that the origin sent.
  var bytes: Int
}
