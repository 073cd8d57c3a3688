import Activity
import Localization

/// The name of an activity type in the user's language, such as "Web page"; nil for a type of an app.
package func activityTypeName(_ type: String) -> String? {
  if type == ActivityRecord.searchItemType { return localized("Search result") }
  return OpenActivityType(rawValue: type).map(\.name)
}

extension OpenActivityType {
  /// What it is, in the user's language.
  package var name: String {
    switch self {
    case .webPage: localized("Web page")
    case .directory: localized("Directory")
    case .textPosition: localized("Text")
    case .terminal: localized("Terminal")
    case .files: localized("Files")
    case .clipboard: localized("Clipboard")
    case .playback: localized("Music or video")
    case .reading: localized("Document")
    }
  }
}
