// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One line of standard input: what to do, and with which properties.
struct Command: Decodable, Sendable {
  let `do`: String
  /// The name of an activity, a responder or a document in the app.
  let name: String?
  let properties: Properties?

  /// What happens in `userActivityWillSave`.
  let willSave: WillSave?
  /// What happens in `userActivityWasContinued`: `invalidate` or `becomeCurrent`.
  let wasContinued: String?
  /// Which delegate an activity gets: `plain` (the default), `subclass` or `none`.
  let delegate: String?
  let activity: String?
  let types: [String]?
  let titles: [String]?
  let path: String?
  let text: String?
  let count: Int?
  let identifiers: [String]?

  struct Properties: Decodable, Sendable {
    let type: String?
    let title: String?
    let userInfo: [String: String]?
    /// The name of a `userInfo` that the app contains; see ``SampleUserInfo``.
    let sample: String?
    let requiredUserInfoKeys: Set<String>?
    let needsSave: Bool?
    let webpageURL: String?
    let referrerURL: String?
    /// Seconds from now.
    let expiresIn: Double?
    let keywords: Set<String>?
    let supportsContinuationStreams: Bool?
    let targetContentIdentifier: String?
    let persistentIdentifier: String?
    let isEligibleForHandoff: Bool?
    let isEligibleForSearch: Bool?
    let isEligibleForPublicIndexing: Bool?
    let isEligibleForPrediction: Bool?
    /// Of `contentAttributeSet`.
    let contentDescription: String?
  }

  struct WillSave: Decodable, Sendable {
    let userInfo: [String: String]?
    /// How many milliseconds it blocks for.
    let blocks: Int?
    /// Sets `needsSave` again.
    let asksAgain: Bool?
    let becomesCurrent: Bool?
    let invalidates: Bool?
    let isEligibleForSearch: Bool?
  }
}
