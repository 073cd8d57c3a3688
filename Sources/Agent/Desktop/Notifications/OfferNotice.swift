// SPDX-License-Identifier: Apache-2.0

import Activity

/// What people are told about an offer.
package struct OfferNotice: Equatable, Sendable {
  /// What is offered and by whom. Several machines may offer the same activity, and none speaks for another.
  package struct ID: Hashable, Comparable, Sendable {
    package let activity: ActivityID
    package let deviceID: DeviceID

    package init(activity: ActivityID, deviceID: DeviceID) {
      self.activity = activity
      self.deviceID = deviceID
    }

    package static func < (left: ID, right: ID) -> Bool {
      guard left.activity == right.activity else {
        return left.activity.bytes.lexicographicallyPrecedes(right.activity.bytes)
      }
      return left.deviceID < right.deviceID
    }
  }

  package var id: ID
  /// The activity's type.
  package let activityType: String
  /// Whether somebody sends files.
  package var areFiles: Bool { activityType == "io.baton.files" }
  /// What the activity is about, in its app's words.
  package var title: String?
  /// The name of the app that would continue it here; nil if no app is known by name.
  package var application: String?
  /// What it is, whatever continues it: nil if its type is not known.
  package var what: String?
  /// Whether it is a web page, or no app would continue it, but its web page would be shown.
  package var showsPage: Bool
  /// The page's host, in lowercase; nil if it is not known.
  package var pageHost: String?
  /// The name of the device that offers it.
  package var device: String
  /// Whether it is offered to this machine alone, because a person sent it here.
  package var isSent: Bool
  /// Whether the user has the same here, or has just handed it over to that device. Then nobody needs to be told.
  package var isHere: Bool
  /// Whether a person at the other machine waits for an answer.
  package var asks: Bool { isSent || areFiles }

  package init(
    id: ID,
    activityType: String,
    title: String?,
    application: String? = nil,
    what: String? = nil,
    showsPage: Bool = false,
    pageHost: String? = nil,
    device: String,
    isSent: Bool = false,
    isHere: Bool = false
  ) {
    self.id = id
    self.activityType = activityType
    self.title = title
    self.application = application
    self.what = what
    self.showsPage = showsPage
    self.pageHost = pageHost
    self.device = device
    self.isSent = isSent
    self.isHere = isHere
  }
}

extension OfferNotice {
  /// What it is about, for a person. It is the same if the activity is published anew under another ID, as browsers and
  /// editors do whenever another program was used in between.
  struct Subject: Hashable, Sendable {
    let deviceID: DeviceID
    let activityType: String
    let title: String?
    let pageHost: String?
  }

  var subject: Subject {
    Subject(deviceID: id.deviceID, activityType: activityType, title: title, pageHost: pageHost)
  }
}

/// The content of one notification.
package struct NotificationContent: Equatable, Sendable {
  package var notice: OfferNotice
  /// Why the activity could not be continued; nil if the notification offers it.
  package var failure: String?
  /// How many more questions wait until there is room for them.
  package var more = 0
  /// Whether a person wanted to read it, and so looks for its buttons.
  package var isRead = false

  package init(_ notice: OfferNotice, failure: String? = nil) {
    self.notice = notice
    self.failure = failure
  }

  /// How it is sent.
  package var kind: NotificationManner.Kind {
    failure != nil ? .outcome : notice.asks ? .question(isRead: isRead) : .offer
  }
}
