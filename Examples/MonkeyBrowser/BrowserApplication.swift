// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// The browser and its activities, on the main thread. It passes what a person does to the model and to the tab's
/// activity. It passes what other machines do to the front end.
@MainActor
final class BrowserApplication: UserActivityApplicationDelegate {
  var browser: Browser
  weak var frontEnd: (any FrontEnd)?
  var activities: [TabKind: TabActivity] = [:]
  /// The latest request for a history in each tab. A history from an earlier request that still arrives is dropped.
  var requests: [TabKind: UUID] = [:]

  init(visits: Int) { browser = Browser(visits: visits) }

  /// Starts to offer tabs to other machines, and to list theirs.
  func start() {
    for kind in TabKind.allCases { activities[kind] = TabActivity(kind, of: self) }
    let application = UserActivityApplication.shared
    // The Info.plist next to the executable also lists the types, and an installed app needs nothing more. But in a
    // build directory, one Info.plist is next to all programs.
    application.activityTypes = Set(TabKind.allCases.map(\.activityType))
    application.delegate = self
    application.onOffersChange = { [weak self] in self?.tell(.offersChanged) }
    activities[browser.selected]?.becomeCurrent(browser.tab)
  }

  // MARK: What the person does

  func perform(_ command: Command) throws(Refusal) {
    try browser.perform(command)
    guard let activity = activities[browser.selected] else { return }
    switch command {
    case .select, .open, .followLink, .goBack: activity.becomeCurrent(browser.tab)
    case .scrollTo, .scrollBy: activity.scrolled(browser.tab)
    case .chooseNextLink: break
    }
  }

  /// What other machines offer, the newest first.
  var offers: [UserActivityOffer] { UserActivityApplication.shared.offers }

  /// Continues the newest offer. Notices report what happens next.
  func continueNewestOffer() throws(Refusal) {
    guard let offer = offers.first else { throw Refusal("No other machine offers a tab") }
    UserActivityApplication.shared.continueActivity(offer)
  }

  // MARK: What other machines do

  /// Fetching takes a moment. An app that shows that itself returns true.
  func application(
    _ application: UserActivityApplication,
    willContinueUserActivityWithType userActivityType: String
  ) -> Bool {
    guard let kind = TabKind(activityType: userActivityType) else { return false }
    tell(.continuing(kind))
    return true
  }

  /// Opens the tab immediately, with the contents of `userInfo`. The history follows.
  func application(
    _ application: UserActivityApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UserActivityRestoring]?) -> Void
  ) -> Bool {
    guard TabKind(activityType: userActivity.activityType) != nil else { return false }
    restorationHandler([self])
    return true
  }

  func application(
    _ application: UserActivityApplication,
    didFailToContinueUserActivityWithType userActivityType: String,
    error: any Error
  ) {
    // The person has picked another offer in the meantime, and knows that.
    if let error = error as? CocoaError, error.code == .userCancelled { return }
    tell(.failed(error.localizedDescription))
  }

  func tell(_ notice: Notice) {
    if case .continuedElsewhere(let kind) = notice { activities[kind]?.wasContinued() }
    frontEnd?.tell(notice)
  }
}

extension BrowserApplication {
  /// Returns a tab as it is now. Waits for the main thread.
  nonisolated func tabFromAnyThread(_ kind: TabKind) -> Tab {
    DispatchQueue.main.sync { MainActor.assumeIsolated { browser[kind] } }
  }

  nonisolated func tellFromAnyThread(_ notice: Notice) {
    DispatchQueue.main.async { MainActor.assumeIsolated { self.tell(notice) } }
  }
}
