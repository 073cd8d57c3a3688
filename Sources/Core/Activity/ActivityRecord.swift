// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// An activity as its app describes it, and as the machine that continues it receives it. It does not say who offers
/// it.
package struct ActivityRecord: Hashable, Sendable {
  /// The maximum size of a whole activity as JSON, in bytes. With a request's number, it fits in one frame. Control
  /// characters and quotes take more bytes in JSON than in the app.
  package static let activityLength = Limits.framePayloadLength - 64

  /// The type of activities that continue a web page. A program that handles it also handles the pages of other
  /// activities.
  package static let webPageType = "NSUserActivityTypeBrowsingWeb"

  /// The type of activities that open an item of a search index: `CSSearchableItemActionType`. Only the app that has
  /// made the item understands them.
  package static let searchItemType = "com.apple.corespotlightitem"

  /// Whether only this machine's index can have made it. Another machine cannot offer or share it.
  package var isForThisMachine: Bool { activityType.utf8.elementsEqual(Self.searchItemType.utf8) }

  package var id: ActivityID
  /// A reverse domain name; see `Reason.activityTypeInvalid`.
  package let activityType: String
  package var title: String?
  @Coded<UserInfoCoding> package var userInfo = UserInfo.empty
  /// The page to open if no app takes the type: http or https.
  package var webpageURL: String?
  /// In an offer, which does not contain the URL itself: whether there is one.
  @Coded<FalseByDefault> package var hasWebPage = false
  /// In an offer: the host of the page; see ``WebPage/hostName``. Nil if it is not known.
  package var webpageHost: String?
  package var referrerURL: String?
  package var targetContentIdentifier: String?
  /// The app's own name for the content.
  package var persistentIdentifier: String?
  /// The time after which the activity is no longer offered, in seconds since 1970-01-01 00:00:00 UTC.
  package var expirationDate: Double?
  /// The app wants to be asked for fresh state when the activity is fetched.
  @Coded<FalseByDefault> package var needsSave = false
  @Coded<FalseByDefault> package var supportsContinuationStreams = false
  /// Whether other machines may see the activity. This is not sent, because they never receive an activity that they
  /// may not see.
  package var isEligibleForHandoff = true

  /// - Throws: the reason that names the first part that is not allowed.
  package init(id: ActivityID, activityType: String) throws(Reason) {
    self.init(unchecked: id, activityType)
    guard Self.isType(activityType) else { throw .activityTypeInvalid }
  }

  private init(unchecked id: ActivityID, _ activityType: String) {
    self.id = id
    self.activityType = activityType
  }

  /// Checks what the type system does not: lengths and URL schemes.
  package func validated() throws(Reason) -> ActivityRecord {
    guard Self.isType(activityType) else { throw .activityTypeInvalid }
    if let title, title.utf8.count > Limits.titleLength || title.unicodeScalars.contains(where: Self.isControl) {
      throw .titleTooLong
    }
    for url in [webpageURL, referrerURL].compactMap(\.self) where !Self.isURL(url) { throw .urlInvalid }
    if let webpageHost, !WebPage.isHostName(webpageHost) { throw .urlInvalid }
    if let identifier = targetContentIdentifier {
      guard identifier.utf8.count <= Limits.urlLength, !identifier.unicodeScalars.contains(where: Self.isControl) else {
        throw .urlInvalid
      }
    }
    if let identifier = persistentIdentifier {
      guard identifier.utf8.count <= Limits.persistentIdentifierLength,
        !identifier.unicodeScalars.contains(where: Self.isControl)
      else { throw .persistentIdentifierInvalid }
    }
    // Only the URLs can make it too long, because the other parts together are shorter, however they are written.
    guard json.bytes.count <= Self.activityLength else { throw .urlInvalid }
    return self
  }

  /// Whether `text` is the URL of a page, without characters that no URL contains: quotes and control characters would
  /// take several times as many bytes in JSON.
  private static func isURL(_ text: String) -> Bool {
    let schemes = ["http://", "https://"]
    let lower = text.lowercased()
    return text.utf8.count <= Limits.urlLength && schemes.contains { lower.starts(withBytesOf: $0) }
      && !schemes.contains(lower)
      && !text.unicodeScalars.contains(where: isUnusual)
  }

  /// Whether no URL contains the scalar unless it is percent-encoded.
  static func isUnusual(_ scalar: Unicode.Scalar) -> Bool {
    isControl(scalar) || scalar.properties.generalCategory == .format || [" ", "\"", "\\"].contains(scalar)
  }

  /// Whether `text` can be an activity type: labels of letters, digits, `-` and `_`, separated by dots, none of them
  /// empty.
  package static func isType(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= Limits.activityTypeLength else { return false }
    return text.split(atScalar: ".", omittingEmptySubsequences: false).allSatisfy { label in
      !label.isEmpty
        && label.utf8.allSatisfy { byte in
          (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
        }
    }
  }

  /// Whether the scalar moves a terminal's cursor, breaks a line or changes the writing direction.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isBidiControl
    }
  }
}

/// The form that the control interface and the peer protocol share.
extension ActivityRecord: Structure {
  /// All but `isEligibleForHandoff`.
  private enum CodingKeys: CodingKey {
    case id, activityType, title, userInfo, webpageURL, hasWebPage, webpageHost, referrerURL, targetContentIdentifier
    case persistentIdentifier, expirationDate, needsSave, supportsContinuationStreams
  }

  /// Reads a record as a peer sends it.
  ///
  /// - Throws: also if a member is not allowed; see ``validated()``.
  package init(from decoder: any Decoder) throws { self = try Self(unchecked: decoder).validated() }

  init(unchecked decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      unchecked: try members.decode(ActivityID.self, forKey: .id),
      try members.decode(String.self, forKey: .activityType)
    )
    title = try members.decodeIfPresent(String.self, forKey: .title)
    _userInfo = try members.decode(Coded<UserInfoCoding>.self, forKey: .userInfo)
    webpageURL = try members.decodeIfPresent(String.self, forKey: .webpageURL)
    _hasWebPage = try members.decode(Coded<FalseByDefault>.self, forKey: .hasWebPage)
    webpageHost = try members.decodeIfPresent(String.self, forKey: .webpageHost)
    referrerURL = try members.decodeIfPresent(String.self, forKey: .referrerURL)
    targetContentIdentifier = try members.decodeIfPresent(String.self, forKey: .targetContentIdentifier)
    persistentIdentifier = try members.decodeIfPresent(String.self, forKey: .persistentIdentifier)
    expirationDate = try members.decodeIfPresent(Double.self, forKey: .expirationDate)
    _needsSave = try members.decode(Coded<FalseByDefault>.self, forKey: .needsSave)
    _supportsContinuationStreams = try members.decode(Coded<FalseByDefault>.self, forKey: .supportsContinuationStreams)
  }

  package enum UserInfoCoding: MemberCoding {
    package static func decode(_ json: JSON?) -> UserInfo? {
      guard let json else { return .empty }
      return try? UserInfo(json: json)
    }

    package static func encode(_ userInfo: UserInfo) -> JSON? { userInfo == .empty ? .none : .some(userInfo.json) }
  }
}
