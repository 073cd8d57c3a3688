// SPDX-License-Identifier: Apache-2.0

/// The activity types that say the same thing in every app (ActivityTypes.md).
package enum OpenActivityType: String, CaseIterable, Sendable {
  /// Apple's name for a web page.
  case webPage = "NSUserActivityTypeBrowsingWeb"
  /// A page of a server on the machine's own localhost.
  case localPage = "io.baton.local-page"
  case directory = "io.baton.directory"
  case textPosition = "io.baton.text-position"
  case terminal = "io.baton.terminal"
  case files = "io.baton.files"
  case clipboard = "io.baton.clipboard"
  case playback = "io.baton.playback"
  case reading = "io.baton.reading"
}
