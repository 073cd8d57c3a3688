// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What every item can have.
extension CSSearchableItemAttributeSet {
  /// A display name, if it differs from the title.
  public var displayName: String? {
    get { self[attribute: "displayName"] }
    set { self[attribute: "displayName"] = newValue }
  }

  /// Other names.
  public var alternateNames: [String]? {
    get { self[attribute: "alternateNames"] }
    set { self[attribute: "alternateNames"] = newValue }
  }

  /// The path of the file.
  public var path: String? {
    get { self[attribute: "path"] }
    set { self[attribute: "path"] = newValue }
  }

  /// The location of the content.
  public var contentURL: URL? {
    get { self[attribute: "contentURL"] }
    set { self[attribute: "contentURL"] = newValue }
  }

  /// The location of an image of the item.
  public var thumbnailURL: URL? {
    get { self[attribute: "thumbnailURL"] }
    set { self[attribute: "thumbnailURL"] = newValue }
  }

  /// The location of an image of the item for dark screens.
  public var darkThumbnailURL: URL? {
    get { self[attribute: "darkThumbnailURL"] }
    set { self[attribute: "darkThumbnailURL"] = newValue }
  }

  /// When these attributes were last changed.
  public var metadataModificationDate: Date? {
    get { self[attribute: "metadataModificationDate"] }
    set { self[attribute: "metadataModificationDate"] = newValue }
  }

  /// The identifier of the type of the content, such as `public.text`.
  public var contentType: String? {
    get { self[attribute: "contentType"] }
    set { self[attribute: "contentType"] = newValue }
  }

  /// The identifiers of the types that the content type conforms to.
  public var contentTypeTree: [String]? {
    get { self[attribute: "contentTypeTree"] }
    set { self[attribute: "contentTypeTree"] = newValue }
  }

  /// The version of the item.
  public var version: String? {
    get { self[attribute: "version"] }
    set { self[attribute: "version"] = newValue }
  }

  /// Whether the user made the item.
  public var userCreated: NSNumber? {
    get { self[attribute: "userCreated"] }
    set { self[attribute: "userCreated"] = newValue }
  }

  /// Whether the user owns the item.
  public var userOwned: NSNumber? {
    get { self[attribute: "userOwned"] }
    set { self[attribute: "userOwned"] = newValue }
  }

  /// Whether the user chose the item.
  public var userCurated: NSNumber? {
    get { self[attribute: "userCurated"] }
    set { self[attribute: "userCurated"] = newValue }
  }

  /// How important the item is within the app.
  public var rankingHint: NSNumber? {
    get { self[attribute: "rankingHint"] }
    set { self[attribute: "rankingHint"] = newValue }
  }

  /// The account that the item belongs to.
  public var accountIdentifier: String? {
    get { self[attribute: "accountIdentifier"] }
    set { self[attribute: "accountIdentifier"] = newValue }
  }

  /// An identifier of the content.
  public var identifier: String? {
    get { self[attribute: "identifier"] }
    set { self[attribute: "identifier"] = newValue }
  }

  /// The kind of the item, in words that users understand.
  public var kind: String? {
    get { self[attribute: "kind"] }
    set { self[attribute: "kind"] = newValue }
  }

  /// The web page of the item.
  public var url: URL? {
    get { self[attribute: "url"] }
    set { self[attribute: "url"] = newValue }
  }

  /// The languages of the content.
  public var languages: [String]? {
    get { self[attribute: "languages"] }
    set { self[attribute: "languages"] = newValue }
  }

  /// When the item was last used.
  public var lastUsedDate: Date? {
    get { self[attribute: "lastUsedDate"] }
    set { self[attribute: "lastUsedDate"] = newValue }
  }

  /// When the content was made.
  public var contentCreationDate: Date? {
    get { self[attribute: "contentCreationDate"] }
    set { self[attribute: "contentCreationDate"] = newValue }
  }

  /// When the content was last changed.
  public var contentModificationDate: Date? {
    get { self[attribute: "contentModificationDate"] }
    set { self[attribute: "contentModificationDate"] = newValue }
  }

  /// When the item was added to its location.
  public var addedDate: Date? {
    get { self[attribute: "addedDate"] }
    set { self[attribute: "addedDate"] = newValue }
  }

  /// When the content was downloaded.
  public var downloadedDate: Date? {
    get { self[attribute: "downloadedDate"] }
    set { self[attribute: "downloadedDate"] = newValue }
  }

  /// The user's rating, from 0 to 5.
  public var rating: NSNumber? {
    get { self[attribute: "rating"] }
    set { self[attribute: "rating"] = newValue }
  }

  /// What the rating means.
  public var ratingDescription: String? {
    get { self[attribute: "ratingDescription"] }
    set { self[attribute: "ratingDescription"] = newValue }
  }

  /// A comment about the item.
  public var comment: String? {
    get { self[attribute: "comment"] }
    set { self[attribute: "comment"] = newValue }
  }

  /// Who has the copyright.
  public var copyright: String? {
    get { self[attribute: "copyright"] }
    set { self[attribute: "copyright"] = newValue }
  }

  /// The permitted uses of the content.
  public var rights: String? {
    get { self[attribute: "rights"] }
    set { self[attribute: "rights"] = newValue }
  }

  /// Where the content comes from.
  public var contentSources: [String]? {
    get { self[attribute: "contentSources"] }
    set { self[attribute: "contentSources"] = newValue }
  }

  /// The projects that the item belongs to.
  public var projects: [String]? {
    get { self[attribute: "projects"] }
    set { self[attribute: "projects"] = newValue }
  }

  /// The organizations that the item belongs to.
  public var organizations: [String]? {
    get { self[attribute: "organizations"] }
    set { self[attribute: "organizations"] = newValue }
  }

  /// Who published the content.
  public var publishers: [String]? {
    get { self[attribute: "publishers"] }
    set { self[attribute: "publishers"] = newValue }
  }

  /// Who edited the content.
  public var editors: [String]? {
    get { self[attribute: "editors"] }
    set { self[attribute: "editors"] = newValue }
  }

  /// Who took part.
  public var participants: [String]? {
    get { self[attribute: "participants"] }
    set { self[attribute: "participants"] = newValue }
  }

  /// What the content covers.
  public var coverage: [String]? {
    get { self[attribute: "coverage"] }
    set { self[attribute: "coverage"] = newValue }
  }

  /// Who contributed to the content.
  public var contributors: [String]? {
    get { self[attribute: "contributors"] }
    set { self[attribute: "contributors"] = newValue }
  }

  /// The program that made the content.
  public var creator: String? {
    get { self[attribute: "creator"] }
    set { self[attribute: "creator"] = newValue }
  }

  /// The role of the user.
  public var role: String? {
    get { self[attribute: "role"] }
    set { self[attribute: "role"] = newValue }
  }
}
