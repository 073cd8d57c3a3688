// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The type `ShownOffer`: what distinguishes an offer for the person who decides about it. A machine can change each of
/// these between the moment in which an offer is shown and the click.
package struct ShownOffer: Structure {
  package let activityType: String
  package let title: String?
  package let webpageHost: String?

  package init(activityType: String, title: String?, webpageHost: String?) {
    self.activityType = activityType
    self.title = title
    self.webpageHost = webpageHost
  }

  /// Whether this is what was shown of the offer. Members that were not shown must be absent.
  package func isOf(_ offer: ActivityRecord) -> Bool {
    activityType.hasBytes(of: offer.activityType) && Self.areEqual(title, offer.title)
      && Self.areEqual(webpageHost, offer.webpageHost)
  }

  private static func areEqual(_ shown: String?, _ text: String?) -> Bool {
    guard let shown, let text else { return shown == nil && text == nil }
    return shown.hasBytes(of: text)
  }
}
