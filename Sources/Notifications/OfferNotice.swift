import Activity

/// What people are told of an offer.
package struct OfferNotice: Equatable, Sendable {
  /// The activity that is offered.
  package let activity: ActivityID
  /// What the activity is about, as its app says.
  package var title: String?
  /// Name of the app that would continue it here; nil where none says its name.
  package var application: String?
  /// The app's icon: the name of one of the icon theme, or a path. Nil where there is none.
  package var icon: String?
  /// Name of the device that offers it.
  package var device: String

  package init(
    activity: ActivityID,
    title: String?,
    application: String? = nil,
    icon: String? = nil,
    device: String
  ) {
    self.activity = activity
    self.title = title
    self.application = application
    self.icon = icon
    self.device = device
  }
}

/// What one notification says.
package struct NotificationContent: Equatable, Sendable {
  package var notice: OfferNotice
  /// Why the activity could not be continued; nil where the notification offers it.
  package var failure: String?

  package init(_ notice: OfferNotice, failure: String? = nil) {
    self.notice = notice
    self.failure = failure
  }
}
