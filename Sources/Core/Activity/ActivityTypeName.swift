// SPDX-License-Identifier: Apache-2.0

import Localization

/// What people call the types of activities that Baton and Apple define (ActivityTypes.md). The command, the agent and
/// the doctor use this one table.
package enum ActivityTypeName {
  /// - Returns: The type itself if an app defines it.
  package static func text(_ activityType: String) -> String { known(activityType) ?? activityType }

  /// Nil if an app defines the type.
  package static func known(_ activityType: String) -> String? {
    switch activityType {
    case "NSUserActivityTypeBrowsingWeb": localized("Web page")
    case "io.baton.local-page": localized("Local page")
    case "io.baton.directory": localized("Directory")
    case "io.baton.text-position": localized("Text")
    case "io.baton.terminal": localized("Terminal")
    case "io.baton.files": localized("Files")
    case "io.baton.clipboard": localized("Clipboard")
    case "io.baton.playback": localized("Music or video")
    case "io.baton.reading": localized("Document")
    case ActivityRecord.searchItemType: localized("Search result")
    default: nil
    }
  }
}
