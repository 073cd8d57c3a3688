// SPDX-License-Identifier: Apache-2.0

import Activity
@_exported import Foundation
import VarlinkClient

/// The type of an activity that continues a web page. An app that lists it handles pages: activities of this type, and
/// all others that have a page. Their `userInfo` is empty, and the page is in `webpageURL`.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// An identifier that your app can use to delete a saved activity.
public typealias NSUserActivityPersistentIdentifier = String

/// What the user is doing in your app. While it is current, the user's other machines offer to continue it.
///
/// The API and the order of calls are those of Apple's `NSUserActivity`; <doc:Differences> lists the exceptions. An
/// activity is no longer offered when you invalidate it, or when the last reference to it is released.
///
/// You can use members from any thread. None of them waits for the daemon.
open class NSUserActivity: NSObject {
  let core: ActivityCore

  /// Creates an activity that isn't current.
  ///
  /// - Parameter activityType: A reverse domain name of at most 128 bytes: letters, digits, `-` and `_`, separated by
  ///   dots. An activity with any other type isn't offered, and the delegate receives
  ///   ``NSUserActivityDelegate/userActivity(_:didFailToBecomeCurrentWithError:)``.
  public init(activityType: String) {
    core = ActivityCore(activityType: activityType)
    super.init()
    core.activity = self
  }

  /// Creates an activity of the first type in `NSUserActivityTypes` of the app's Info.plist. If the list is empty, the
  /// process stops.
  @available(*, deprecated, message: "Use init(activityType:)")
  public convenience override init() {
    guard let type = DeclaredTypes.ofInfoDictionary.first else {
      preconditionFailure(
        "Caller did not provide an activityType, and this process has no NSUserActivityTypes in its Info.plist."
      )
    }
    self.init(activityType: type)
  }

  /// Creates the activity that was continued from another machine.
  init(_ core: ActivityCore) {
    self.core = core
    super.init()
    core.activity = self
  }

  deinit { core.invalidate() }

  /// The activity's type, which never changes.
  open var activityType: String { core.activityType }

  /// The title that users see in lists of offers, at most 512 bytes. Always set it.
  open var title: String? {
    get { core.contents.title }
    set { core.change { $0.title = newValue } }
  }

  /// The state from which another machine continues, at most 3,072 bytes when encoded.
  ///
  /// Keys and values are strings, numbers, `Bool`, `Data`, `Date`, `URL`, `UUID`, `NSNull`, and arrays, sets and
  /// dictionaries of them. If it contains any other value or is too large, the activity isn't offered, and the delegate
  /// is informed of the reason.
  open var userInfo: [AnyHashable: Any]? {
    get { core.userInfo }
    set { core.write(.replacement(newValue)) }
  }

  /// Adds entries to ``userInfo``. They replace entries with the same keys.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    core.write(.addition(otherDictionary))
  }

  /// The keys of ``userInfo`` that a search index must keep. They don't affect the state sent to another machine.
  open var requiredUserInfoKeys: Set<String>? {
    get { core.contents.requiredUserInfoKeys }
    set { core.change { $0.requiredUserInfoKeys = newValue } }
  }

  /// Whether the state has changed, so that the delegate must update it before it is sent or donated to the search
  /// index. Setting it is cheap.
  ///
  /// It is false again when the delegate is called. If the delegate sets it, that applies to the next time. It also
  /// becomes true again if the activity was saved for the search index but isn't eligible for it.
  open var needsSave: Bool {
    get { core.contents.needsSave }
    set { core.change { $0.needsSave = newValue } }
  }

  /// The web page that shows the same content, for machines without an app for the type.
  ///
  /// It must be an http or https URL. Any other scheme sets it to nil and writes a line to standard error. A URL of
  /// more than 2,048 bytes is left out when the activity is sent, and a line on standard error reports it.
  open var webpageURL: URL? {
    get { core.contents.webpageURL }
    set {
      let url = checked(newValue, "webpageURL")
      core.change { $0.webpageURL = url }
    }
  }

  /// The page that linked to ``webpageURL``. The same rule applies.
  open var referrerURL: URL? {
    get { core.contents.referrerURL }
    set {
      let url = checked(newValue, "referrerURL")
      core.change { $0.referrerURL = url }
    }
  }

  /// The time after which the activity is no longer offered. Nil means that it doesn't expire.
  open var expirationDate: Date? {
    get { core.contents.expirationDate }
    set { core.change { $0.expirationDate = newValue } }
  }

  /// Words that people can find the activity by, in addition to its title.
  open var keywords: Set<String> {
    get { core.contents.keywords }
    set { core.change { $0.keywords = newValue } }
  }

  /// Whether the app that continues the activity can open streams to this one. The ``delegate`` receives them.
  open var supportsContinuationStreams: Bool {
    get { core.contents.supportsContinuationStreams }
    set { core.change { $0.supportsContinuationStreams = newValue } }
  }

  /// The object that saves the state and is informed about continuations and streams. The activity doesn't retain it.
  open weak var delegate: (any NSUserActivityDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// An identifier that lets the receiving app choose a window. Setting it doesn't set ``needsSave``.
  open var targetContentIdentifier: String? {
    get { core.contents.targetContentIdentifier }
    set {
      noteLength(newValue, "targetContentIdentifier")
      core.change { $0.targetContentIdentifier = newValue }
    }
  }

  /// Whether the activity can be offered to other machines, true by default. While it is false, the activity can be
  /// current but isn't offered.
  open var isEligibleForHandoff: Bool {
    get { core.contents.isEligibleForHandoff }
    set { core.change { $0.isEligibleForHandoff = newValue } }
  }

  /// Whether people can find the activity later, in a search on this machine. The user's index keeps the title, the
  /// keywords, the page and the values of ``requiredUserInfoKeys``. False by default.
  open var isEligibleForSearch: Bool {
    get { core.contents.isEligibleForSearch }
    set { core.change { $0.isEligibleForSearch = newValue } }
  }

  /// Whether the activity can also be found on the other machines of the user's team, if the user shares with it. It
  /// needs a ``webpageURL`` or ``requiredUserInfoKeys``. False by default.
  open var isEligibleForPublicIndexing: Bool {
    get { core.contents.isEligibleForPublicIndexing }
    set { core.change { $0.isEligibleForPublicIndexing = newValue } }
  }

  /// Whether the activity may be suggested to the user when it's likely to be next. False by default.
  open var isEligibleForPrediction: Bool {
    get { core.contents.isEligibleForPrediction }
    set { core.change { $0.isEligibleForPrediction = newValue } }
  }

  /// The app's own identifier of the content, at most 1,024 bytes. The machine that continues the activity receives it.
  open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
    get { core.contents.persistentIdentifier }
    set { core.change { $0.persistentIdentifier = newValue } }
  }

  /// A phrase for Siri. It is stored for the app but has no effect, because there is no Siri.
  open var suggestedInvocationPhrase: String? {
    get { core.contents.suggestedInvocationPhrase }
    set { core.change { $0.suggestedInvocationPhrase = newValue } }
  }

  /// Makes this the user's current activity, which replaces any other, and offers it on the user's other machines.
  /// After ``invalidate()``, it only writes a line on standard error.
  open func becomeCurrent() { core.becomeCurrent() }

  /// Stops offering the activity. You can make it current again.
  open func resignCurrent() { core.resignCurrent() }

  /// Stops offering the activity for good, and ends all requests of other machines for it.
  open func invalidate() { core.invalidate() }

  /// The app's `contentAttributeSet`. For the module CoreSpotlight.
  package var searchAttributes: (any SearchAttributeSource)? {
    get { core.searchAttributes }
    set { core.searchAttributes = newValue }
  }

  private func checked(_ url: URL?, _ property: String) -> URL? {
    noteLength(url?.absoluteString, property)
    guard let url, !["http", "https"].contains(url.scheme?.lowercased()) else { return url }
    Complaint.write(
      "\(property) of \(activityType) accepts only http and https URLs, not \(url.scheme ?? "no scheme"); it's now nil"
    )
    return nil
  }

  private func noteLength(_ address: String?, _ property: String) {
    guard let length = address?.utf8.count, length > Limits.urlLength else { return }
    Complaint.write(
      "\(property) of \(activityType) is \(length) bytes long; addresses over \(Limits.urlLength) aren't sent"
    )
  }
}

// A continued activity belongs to one thread at a time, as on Apple's platforms.
@available(*, unavailable)
extension NSUserActivity: @unchecked Sendable {}
