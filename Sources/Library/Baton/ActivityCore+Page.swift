// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import Foundation

extension ActivityCore {
  /// The web page of an activity that was continued from another machine, as an activity of its own. Nil if there is
  /// none.
  var page: ActivityCore? {
    let contents = contents
    guard let source, let url = contents.webpageURL else { return nil }
    var page = ControlActivity(activityType: NSUserActivityTypeBrowsingWeb)
    page.title = contents.title
    page.webpageURL = url.absoluteString
    page.referrerURL = contents.referrerURL?.absoluteString
    return ActivityCore(page, source: source)
  }
}
