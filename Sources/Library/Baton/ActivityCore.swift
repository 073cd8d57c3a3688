// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Foundation
import JSONCoding
import VarlinkClient

/// The state of one activity, which the app's threads and the loop share. It outlives its `NSUserActivity` only to end
/// what the activity had begun.
final class ActivityCore: Sendable {
  let activityType: String
  /// The ID under which the daemon knows the activity.
  let id: ActivityID
  /// The activity of another machine that this one continues. Nil if this activity began here.
  let source: ActivityID?
  /// The queue on which the delegate is called.
  let callbacks: DispatchQueue

  private struct State {
    weak var activity: NSUserActivity?
    weak var delegate: (any NSUserActivityDelegate)?
    var contents = ActivityContents()
    var userInfo = UserInfoState(.init(nil))
    var responders = AssociatedObjects()
    /// Those who wait for the end of the save round; empty if none is running.
    var roundCompletions: [@Loop @Sendable () -> Void] = []
    /// What a search can find besides the contents.
    var searchAttributes: (any SearchAttributeSource)?
    /// Whether the app was asked for its state without another machine wanting it.
    var wasAsked = false
    /// Whether the app has ever made the activity current. The loop then has a publication for it.
    var isPublished = false
    var isInvalid = false
    /// What the app's developer was told.
    var complaints: Set<Complaint.Kind> = []
    /// Whether the loop was told about a change and has not read it yet.
    var isChangeKnown = false
  }

  private let state = Locked(State())

  init(activityType: String) {
    self.activityType = activityType
    source = nil
    (id, callbacks) = Self.identity(activityType)
  }

  /// Creates an activity that was continued from another machine.
  init(_ activity: ControlActivity, source: ActivityID) {
    activityType = activity.activityType
    self.source = source
    (id, callbacks) = Self.identity(activityType)
    // The limit for publishing does not apply here, because file URLs may have become longer on the way.
    var userInfo: [UserInfoValue: UserInfoValue]?
    if let json = activity.userInfo, case .dictionary(let pairs) = try? UserInfoValue(json: json) { userInfo = pairs }
    withState { state in
      state.contents = ActivityContents(activity)
      state.userInfo = UserInfoState(.init(userInfo.map(UserInfoValue.foundation)))
    }
  }

  private static func identity(_ type: String) -> (ActivityID, DispatchQueue) {
    (.random(), DispatchQueue(label: "io.baton.Handoff.\(type)"))
  }

  /// What leaves the lock is a value, or a reference that the app may use from any thread.
  private func withState<Value>(_ body: (inout State) -> Value) -> Value { state.withLock(body) }

  // MARK: Properties

  var activity: NSUserActivity? {
    get { withState { $0.activity } }
    set { withState { $0.activity = newValue } }
  }

  var delegate: (any NSUserActivityDelegate)? {
    get { withState { $0.delegate } }
    set { withState { $0.delegate = newValue } }
  }

  var contents: ActivityContents { withState { $0.contents } }

  var userInfo: [AnyHashable: Any]? { withState { $0.userInfo }.dictionary(inRound: SaveRound.activity == id) }

  /// Writes to `userInfo`. Nothing that another thread writes at the same time is lost.
  func write(_ write: UserInfoState.Write) {
    let isInRound = SaveRound.activity == id
    var isDone = false
    while !isDone {
      // This is done and the old value is released outside the lock, because the values may call back into this object.
      let before = withState { $0.userInfo }
      var after = before
      after.write(write, inRound: isInRound)
      isDone = withState { state in
        guard state.userInfo.version == before.version else { return false }
        state.userInfo = after
        return true
      }
    }
    tellLoop()
  }

  func beginRound() { withState { $0.userInfo.beginRound() } }

  /// Waits for the end of a save round.
  ///
  /// - Returns: Whether the caller must begin it, because none is running.
  func waitForRound(_ completion: @escaping @Loop @Sendable () -> Void) -> Bool {
    withState { state in
      state.roundCompletions.append(completion)
      return state.roundCompletions.count == 1
    }
  }

  /// - Returns: Those who wait for the end of the round.
  func endRound() -> [@Loop @Sendable () -> Void] {
    // As above.
    let (before, completions) = withState { state in
      defer {
        state.userInfo.endRound()
        state.roundCompletions = []
      }
      return (state.userInfo, state.roundCompletions)
    }
    tellLoop()
    return withExtendedLifetime(before) { completions }
  }

  func change(_ body: (inout ActivityContents) -> Void) {
    let (before, after) = withState { state in
      let before = state.contents
      body(&state.contents)
      return (before, state.contents)
    }
    guard after != before else { return }
    // The daemon learns immediately that the app wants to be asked, or that nothing may be offered.
    let isUrgent = after.needsSave && !before.needsSave || before.isEligibleForHandoff && !after.isEligibleForHandoff
    tellLoop(isUrgent: isUrgent)
  }

  /// Returns the activity in the form that the daemon accepts.
  ///
  /// - Throws: `HandoffFailure`, which names what may not be sent.
  func published() throws(HandoffFailure) -> ControlActivity {
    var (contents, userInfo, isSaving) = withState { ($0.contents, $0.userInfo, !$0.roundCompletions.isEmpty) }
    // The state is old until the round ends. A machine that asks for it waits for that.
    if isSaving { contents.needsSave = true }
    let url = contents.webpageURL?.absoluteString
    // Nothing would be left of a page.
    if activityType == NSUserActivityTypeBrowsingWeb, let url, url.utf8.count > Limits.urlLength {
      throw HandoffFailure(.urlInvalid)
    }
    do {
      let json = UserInfoValue.dictionary(try userInfo.kept.entries.get()).json
      // The daemon knows the limit, and what counts towards it. But it hangs up on a message that is far too long.
      guard json.bytes.count <= Limits.varlinkMessageLength / 2 else { throw HandoffFailure(.userInfoTooLarge) }
      return contents.published(as: id, activityType, userInfo: json)
    } catch let error as HandoffFailure {
      throw error
    } catch {
      throw HandoffFailure(.userInfoInvalid, "\(error)")
    }
  }

  /// Whether this is the first complaint of its kind.
  func isFirst(_ complaint: Complaint.Kind) -> Bool { withState { $0.complaints.insert(complaint).inserted } }

  // MARK: Search

  var searchAttributes: (any SearchAttributeSource)? {
    get { withState { $0.searchAttributes } }
    set {
      let old = withState { state in
        defer { state.searchAttributes = newValue }
        return state.searchAttributes
      }
      withExtendedLifetime(old) { tellLoop() }
    }
  }

  /// What the search index may keep. Values that cannot be sent cannot be kept either.
  var searchState: (ActivityContents, SearchAttributes?, [UserInfoValue: UserInfoValue]) {
    let attributes = searchAttributes?.searchAttributes
    return withState { ($0.contents, attributes, (try? $0.userInfo.kept.entries.get()) ?? [:]) }
  }

  // MARK: Life

  var isInvalid: Bool { withState { $0.isInvalid } }

  /// Whether the app has ever made it current.
  var wasCurrent: Bool { withState { $0.isPublished } }

  func becomeCurrent() {
    let isAllowed = withState { state in
      if !state.isInvalid { state.isPublished = true }
      return !state.isInvalid
    }
    guard isAllowed else { return Complaint.write("\(activityType) isn't offered, because it was invalidated") }
    onLoop { $0.becomeCurrent(self) }
  }

  func resignCurrent() {
    guard withState({ $0.isPublished && !$0.isInvalid }) else { return }
    let donation = donation()
    onLoop { $0.resign(self.id, donation) }
  }

  func invalidate() {
    let wasPublished = withState { state in
      defer { state.isInvalid = true }
      return state.isPublished && !state.isInvalid
    }
    guard wasPublished else { return }
    let donation = donation()
    onLoop { [id] in $0.end(id, donation) }
  }

  /// Tells the loop to send what has changed, once for any number of changes.
  private func tellLoop(isUrgent: Bool = false) {
    let isNews = withState { state in
      defer { state.isChangeKnown = true }
      return state.isPublished && !state.isInvalid && (isUrgent || !state.isChangeKnown)
    }
    if isNews { onLoop { $0.changed(self, isUrgent: isUrgent) } }
  }

  /// Called when the loop reads the changes. It will be told about later ones again.
  func takeChange() { withState { $0.isChangeKnown = false } }

  private func onLoop(_ body: @escaping @Loop @Sendable (HandoffService) -> Void) {
    Task { @Loop in body(HandoffService.shared) }
  }

  // MARK: Associated objects

  /// Associates an object with the activity; see ``AssociatedObjects``.
  func associate(_ object: any UserActivityUpdating) {
    withState { $0.responders.add(object) }
    // The object is asked for its state when another machine wants it.
    change { $0.needsSave = true }
  }

  /// Removes an object. The activity ends with its last one.
  func dissociate(_ object: ObjectIdentifier) {
    if withState({ $0.responders.remove(object) }) { invalidate() }
  }

  /// The responders and documents. They are released on the main thread, so read this only there.
  var associated: [any UserActivityUpdating] { withState { $0.responders.objects } }

  var hasAssociated: Bool { withState { !$0.responders.isEmpty } }

  /// Whether the app can be asked for the first time what a search may find: somebody describes the activity.
  var canBeAskedForSearch: Bool {
    // The delegate may be released here, outside the lock, and call back into this object.
    !withState { $0.wasAsked } && (delegate != nil || hasAssociated)
  }

  /// Whether only the app's responders and documents can set the activity's title, and were never asked.
  var mustBeAskedForTitle: Bool {
    let (contents, isAsked) = withState { ($0.contents, $0.wasAsked) }
    return contents.title == nil && contents.needsSave && !isAsked && hasAssociated
  }

  /// The app is asked for its state when another machine wants it. The loop knows, and publishes the activity next.
  func askAgain() { withState { $0.contents.needsSave = true } }

  func noteAsked() { withState { $0.wasAsked = true } }
}
