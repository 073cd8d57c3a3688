import Activity
@_exported import Foundation

/// The activity type of a page that a browser shows. An app that lists it takes over pages; their `userInfo` is empty, and
/// the page is in `webpageURL`.
public let NSUserActivityTypeBrowsingWeb = "NSUserActivityTypeBrowsingWeb"

/// Names an activity for deletion.
public typealias NSUserActivityPersistentIdentifier = String

/// What a person is doing in an app: offered to the other machines of their team while it is the current activity, and
/// handed to the app there that continues it.
///
/// The API and the order of calls are those of Apple's `NSUserActivity`; see <doc:Differences> for what is decided differently.
/// An activity is withdrawn when it is invalidated, and when the last reference to it goes.
///
/// Members may be used from any thread. None of them waits for the daemon.
open class NSUserActivity: NSObject {
  let core: ActivityCore

  /// Makes an activity that is not current.
  ///
  /// - Parameter activityType: A reverse domain name of at most 128 bytes: letters, digits, `-` and `_`, with dots between.
  ///   Another is not offered; ``NSUserActivityDelegate/userActivity(_:didFailToBecomeCurrentWithError:)`` is told.
  public init(activityType: String) {
    core = ActivityCore(activityType: activityType)
    super.init()
    core.activity = self
  }

  /// An activity of the first type in `NSUserActivityTypes` of the app's Info.plist. It is a programming error where there is none.
  @available(*, deprecated, message: "Use init(activityType:)")
  public convenience override init() {
    guard let type = ActivityTypes.ofInfoDictionary.first else {
      preconditionFailure(
        "Caller did not provide an activityType, and this process has no NSUserActivityTypes in its Info.plist."
      )
    }
    self.init(activityType: type)
  }

  /// The activity that was continued from another machine.
  init(_ core: ActivityCore) {
    self.core = core
    super.init()
    core.activity = self
  }

  deinit { core.invalidate() }

  /// The type, fixed for the activity's life.
  open var activityType: String { core.activityType }

  /// For people: at most 512 bytes. Set it; lists show it.
  open var title: String? {
    get { core.contents.title }
    set { core.change { $0.title = newValue } }
  }

  /// The small state with which another machine continues: at most 3,072 bytes as encoded.
  ///
  /// Keys and values are strings, numbers, `Bool`, `Data`, `Date`, `URL`, `UUID`, `NSNull`, and arrays, sets and dictionaries of
  /// them. With any other value in it, or when too large, the activity is not offered, and the delegate is told why.
  open var userInfo: [AnyHashable: Any]? {
    get { core.userInfo }
    set { core.userInfo = newValue }
  }

  /// Adds the entries to ``userInfo``; they replace those with the same keys.
  open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    core.userInfo = (core.userInfo ?? [:]).merging(otherDictionary) { $1 }
  }

  /// The keys of ``userInfo`` that another machine needs: only these are sent. Nil: all.
  open var requiredUserInfoKeys: Set<String>? {
    get { core.contents.requiredUserInfoKeys }
    set { core.change { $0.requiredUserInfoKeys = newValue } }
  }

  /// The state has changed, and the delegate is to be asked for it before it is sent. Setting it costs nothing.
  ///
  /// It is false again when the delegate is called; what the delegate sets there counts for the next time.
  open var needsSave: Bool {
    get { core.contents.needsSave }
    set { core.change { $0.needsSave = newValue } }
  }

  /// The page that shows the same, for machines where no app takes the type. http or https; with another scheme it
  /// becomes nil, and a line on standard error says so.
  open var webpageURL: URL? {
    get { core.contents.webpageURL }
    set {
      let url = checked(newValue, "webpageURL")
      core.change { $0.webpageURL = url }
    }
  }

  /// The page that linked to ``webpageURL``, under the same rule.
  open var referrerURL: URL? {
    get { core.contents.referrerURL }
    set {
      let url = checked(newValue, "referrerURL")
      core.change { $0.referrerURL = url }
    }
  }

  /// When it stops being offered; nil: not by time.
  open var expirationDate: Date? {
    get { core.contents.expirationDate }
    set { core.change { $0.expirationDate = newValue } }
  }

  /// Words for a search index. Kept here, and not sent: there is no index.
  open var keywords: Set<String> {
    get { core.contents.keywords }
    set { core.change { $0.keywords = newValue } }
  }

  /// Whether the app that continues may ask for streams to this one. It needs a ``delegate`` that takes them.
  open var supportsContinuationStreams: Bool {
    get { core.contents.supportsContinuationStreams }
    set { core.change { $0.supportsContinuationStreams = newValue } }
  }

  /// Told of saving, of continuation and of streams. Not retained.
  open weak var delegate: (any NSUserActivityDelegate)? {
    get { core.delegate }
    set { core.delegate = newValue }
  }

  /// What a receiving app picks its window by. Setting it does not set ``needsSave``.
  open var targetContentIdentifier: String? {
    get { core.contents.targetContentIdentifier }
    set { core.change { $0.targetContentIdentifier = newValue } }
  }

  /// Whether it may be offered to other machines. True at first; an activity that is current and not eligible is not offered.
  open var isEligibleForHandoff: Bool {
    get { core.contents.isEligibleForHandoff }
    set { core.change { $0.isEligibleForHandoff = newValue } }
  }

  /// Kept, and without effect: there is no index.
  open var isEligibleForSearch: Bool {
    get { core.contents.isEligibleForSearch }
    set { core.change { $0.isEligibleForSearch = newValue } }
  }

  /// Kept, and without effect: there is no index.
  open var isEligibleForPublicIndexing: Bool {
    get { core.contents.isEligibleForPublicIndexing }
    set { core.change { $0.isEligibleForPublicIndexing = newValue } }
  }

  /// Kept, and without effect: nothing predicts.
  open var isEligibleForPrediction: Bool {
    get { core.contents.isEligibleForPrediction }
    set { core.change { $0.isEligibleForPrediction = newValue } }
  }

  /// Kept for the app, and not sent.
  open var persistentIdentifier: NSUserActivityPersistentIdentifier? {
    get { core.contents.persistentIdentifier }
    set { core.change { $0.persistentIdentifier = newValue } }
  }

  /// Makes this the user's current activity, in place of any other, and offers it to the user's other machines. Without
  /// effect after ``invalidate()``.
  open func becomeCurrent() { core.becomeCurrent() }

  /// Stops offering it. It may become current again.
  open func resignCurrent() { core.resignCurrent() }

  /// Stops offering it for ever, and ends what other machines asked of it.
  open func invalidate() { core.invalidate() }

  private func checked(_ url: URL?, _ property: String) -> URL? {
    guard let url, !["http", "https"].contains(url.scheme?.lowercased()) else { return url }
    Complaint.write(
      "\(property) of \(activityType) takes only http and https URLs, not \(url.scheme ?? "no scheme"); it is now nil"
    )
    return nil
  }
}

// What is continued belongs to one thread at a time, as Apple's does.
@available(*, unavailable)
extension NSUserActivity: @unchecked Sendable {}
