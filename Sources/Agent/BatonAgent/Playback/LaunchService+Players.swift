// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop

/// The apps that play sound and films.
extension LaunchService {
  /// The installed players of a type of media, the one that the user prefers first.
  func players(for mediaType: String) -> [DesktopEntry] {
    let playing = installed.applications(playing: mediaType).filter { application in
      application.tryExec.map { environment.program($0) != nil } ?? true
    }
    return chosen.choices.ordered(playing, mediaType: mediaType)
  }

  /// The players of any of these types, each once. The same player as on the other machine comes first, if it plays one
  /// of them.
  func players(for mediaTypes: [String], preferring player: String?) -> [DesktopEntry] {
    var known: Set<String> = []
    let all = mediaTypes.flatMap(players).filter { known.insert($0.id).inserted }
    return all.filter { $0.id == player } + all.filter { $0.id != player }
  }
}
