// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Glibc

/// In which folders of this machine files can arrive.
struct ArrivalPlaces: Sendable {
  private let home: String
  /// Folders in which programs are, or what programs obey.
  private let others: [String]

  /// - Parameter home: The user's home directory.
  init(home: String, _ environment: ProcessEnvironment) {
    self.home = home
    let lists = ["PATH", "XDG_CONFIG_DIRS", "XDG_DATA_DIRS"].compactMap { environment[$0] }
    let single = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"].compactMap { environment.directory($0) }
    others = lists.flatMap { $0.split(atScalar: ":").map(String.init) } + single
  }

  /// Why no files can arrive in a folder, which need not exist. Links to it are followed, so this takes as long as its
  /// disk needs.
  func objection(to folder: String) -> String? {
    // What does not exist is made in the folder that contains it.
    let parent = folder[..<(folder.unicodeScalars.lastIndex(of: "/") ?? folder.startIndex)]
    let path = Self.resolved(folder) ?? Self.resolved("\(parent)/").map { "\($0)/\(folder[parent.endIndex...])" }
    let places = others.filter { $0.utf8.first == UInt8(ascii: "/") }.map { Self.resolved($0) ?? $0 }
    return ObeyedFolder.objection(to: path ?? folder, home: Self.resolved(home) ?? home, others: places)
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
