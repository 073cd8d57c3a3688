// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import Desktop
import EventLoop
import Glibc

/// What has come from other machines. Nobody here has written what it says, and another machine has chosen what its
/// configuration makes git, editors and other programs do.
package struct ArrivedFiles: Sendable {
  private let folders: [HandoffFolder]

  /// - Parameter settings: The paths of the agent's settings, of which each replaces keys of those before.
  init(home: String, settings paths: [String]) {
    var settings = AgentSettings()
    for path in paths {
      guard let bytes = try? SettingsFile.contents(of: path, limit: Limits.agentFileLength) else { continue }
      _ = settings.read(String(decoding: bytes, as: UTF8.self))
    }
    let chosen = settings.files.folder(home: home)
    folders = Set(["\(home)/Handoff", chosen]).map { HandoffFolder($0) }
  }

  /// Whether a file or folder is where things arrive, or it or a folder around it has arrived and was moved.
  ///
  /// - Parameter path: The path of something that is there.
  package func contains(_ path: String) -> Bool {
    if folders.contains(where: { $0.contains(path) }) { return true }
    return [path, HandoffFolder.real(path)].compactMap(\.self).contains(where: Self.isMarked)
  }

  private static func isMarked(_ path: String) -> Bool {
    var place = path[...]
    while !place.isEmpty {
      if ArrivalMark.isSet(String(place)) { return true }
      place = place[..<(place.unicodeScalars.lastIndex(of: "/") ?? place.startIndex)]
    }
    return false
  }
}
