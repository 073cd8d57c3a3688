// SPDX-License-Identifier: Apache-2.0

import Activity

extension ShownResult {
  package init(_ result: ControlResult) {
    self.init(title: result.title, activityType: result.activityType, webpageURL: result.webpageURL)
  }

  /// Whether this is what was shown, to the byte. What was not shown must not be there, either.
  package func isSame(as other: ShownResult) -> Bool {
    title.hasBytes(of: other.title) && Self.areEqual(activityType, other.activityType)
      && Self.areEqual(webpageURL, other.webpageURL)
  }

  private static func areEqual(_ text: String?, _ other: String?) -> Bool {
    guard let text, let other else { return text == nil && other == nil }
    return text.hasBytes(of: other)
  }
}
