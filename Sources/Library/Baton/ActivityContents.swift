// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import JSONCoding

/// The values of an activity's properties, except its `userInfo`.
struct ActivityContents: Equatable, Sendable {
  var title: String?
  var requiredUserInfoKeys: Set<String>?
  var needsSave = false
  var webpageURL: URL?
  var referrerURL: URL?
  var expirationDate: Date?
  var keywords: Set<String> = []
  var supportsContinuationStreams = false
  var targetContentIdentifier: String?
  var isEligibleForHandoff = true
  var isEligibleForSearch = false
  var isEligibleForPublicIndexing = false
  var isEligibleForPrediction = false
  var persistentIdentifier: String?
  var suggestedInvocationPhrase: String?
}

extension ActivityContents {
  init(_ activity: ControlActivity) {
    title = activity.title
    webpageURL = activity.webpageURL.flatMap(URL.init(string:))
    referrerURL = activity.referrerURL.flatMap(URL.init(string:))
    expirationDate = activity.expirationDate.flatMap {
      Date.received($0 - Date.timeIntervalBetween1970AndReferenceDate)
    }
    supportsContinuationStreams = activity.supportsContinuationStreams
    targetContentIdentifier = activity.targetContentIdentifier
    persistentIdentifier = activity.persistentIdentifier
  }

  /// Nil if an address is too long. The app's developer was told when it was set.
  private static func sendable(_ address: String?) -> String? {
    address.flatMap { $0.utf8.count <= Limits.urlLength ? $0 : nil }
  }

  /// Returns the activity in the form that the daemon accepts.
  func published(as id: ActivityID, _ type: String, userInfo: JSON?) -> ControlActivity {
    var activity = ControlActivity(id: id, activityType: type)
    activity.title = title
    activity.userInfo = userInfo
    activity.webpageURL = Self.sendable(webpageURL?.absoluteString)
    activity.referrerURL = Self.sendable(referrerURL?.absoluteString)
    activity.targetContentIdentifier = Self.sendable(targetContentIdentifier)
    activity.persistentIdentifier = persistentIdentifier
    activity.expirationDate = expirationDate?.timeIntervalSince1970
    activity.needsSave = needsSave
    activity.supportsContinuationStreams = supportsContinuationStreams
    activity.isEligibleForHandoff = isEligibleForHandoff
    return activity
  }
}
