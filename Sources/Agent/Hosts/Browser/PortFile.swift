// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc
import JSONCoding

/// The file with what the agent remembers about ports (State.md).
package enum PortFile {
  /// The maximum length of the file in bytes.
  private static let length = 128 * 1024

  /// Nil if the user has no home directory.
  package static func path(_ environment: ProcessEnvironment) -> String? {
    let data = environment.directory("XDG_DATA_HOME") ?? environment.directory("HOME").map { "\($0)/.local/share" }
    return data.map { "\($0)/baton/ports.json" }
  }

  /// Nil if it is damaged.
  package static func read(_ path: String) -> PortMemory? {
    guard access(path, F_OK) == 0 else { return PortMemory() }
    let file = RegularFile(path, length: length, followsLinks: false)
    return file.flatMap { try? JSON(parsing: $0.bytes, depth: 8) }.flatMap { PortMemory(json: $0) }
  }

  /// Whether the server of a page runs on another machine, which alone may offer it. Reads a small file.
  static func isOfOtherMachine(_ page: BrowserPage, _ environment: ProcessEnvironment = .current) -> Bool {
    guard let host = page.localPage?.host, let path = path(environment) else { return false }
    return read(path)?.labels.isOfMachine(host) ?? false
  }
}
