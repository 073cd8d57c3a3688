// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A directory for one test.
final class PlaceForFiles: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the text of a file in the directory.
  func text(of name: String) throws -> String { try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8) }

  func write(_ text: String, to name: String) throws { try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)")) }
}
