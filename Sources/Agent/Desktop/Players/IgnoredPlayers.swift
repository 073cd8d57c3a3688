// SPDX-License-Identifier: Apache-2.0

import Activity

/// The players that are not handed over: browsers, and programs that speak for other players.
///
/// A browser is a player, too, but what it plays is a page, which the browser's extension hands over. Chromium does not
/// say which page it is, and Firefox says neither the page nor the title of a private window.
package enum IgnoredPlayers {
  private static let browsers: Set<String> = [
    "brave", "chrome", "chromium", "edge", "epiphany", "falkon", "firefox", "floorp", "google-chrome", "konqueror",
    "librewolf", "microsoft-edge", "mozilla", "opera", "plasma-browser-integration", "tor-browser", "vivaldi",
    "waterfox", "zen",
  ]
  /// `playerctld` repeats what another player says, and KDE Connect what a phone plays.
  private static let proxies: Set<String> = ["kdeconnect", "playerctld"]
  private static let prefix = "org.mpris.MediaPlayer2."

  /// - Parameter name: The player's name on the bus: `org.mpris.MediaPlayer2.firefox.instance_1_23`.
  package static func contain(_ name: String) -> Bool {
    guard let name = name.rest(afterBytesOf: prefix) else { return false }
    let program = name.scalarPrefix(while: { $0 != "." }).lowercased()
    return browsers.contains(program) || proxies.contains(program)
  }
}
