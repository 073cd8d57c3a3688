// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Messages and people.
extension CSSearchableItemAttributeSet {
  /// The addresses of the account.
  public var accountHandles: [String]? {
    get { self[attribute: "accountHandles"] }
    set { self[attribute: "accountHandles"] = newValue }
  }

  /// The names of the authors.
  public var authorNames: [String]? {
    get { self[attribute: "authorNames"] }
    set { self[attribute: "authorNames"] = newValue }
  }

  /// The email addresses of the authors.
  public var authorEmailAddresses: [String]? {
    get { self[attribute: "authorEmailAddresses"] }
    set { self[attribute: "authorEmailAddresses"] = newValue }
  }

  /// The names of the recipients.
  public var recipientNames: [String]? {
    get { self[attribute: "recipientNames"] }
    set { self[attribute: "recipientNames"] = newValue }
  }

  /// The email addresses of the recipients.
  public var recipientEmailAddresses: [String]? {
    get { self[attribute: "recipientEmailAddresses"] }
    set { self[attribute: "recipientEmailAddresses"] = newValue }
  }

  /// The addresses of the authors.
  public var authorAddresses: [String]? {
    get { self[attribute: "authorAddresses"] }
    set { self[attribute: "authorAddresses"] = newValue }
  }

  /// The addresses of the recipients.
  public var recipientAddresses: [String]? {
    get { self[attribute: "recipientAddresses"] }
    set { self[attribute: "recipientAddresses"] = newValue }
  }

  /// Telephone numbers.
  public var phoneNumbers: [String]? {
    get { self[attribute: "phoneNumbers"] }
    set { self[attribute: "phoneNumbers"] = newValue }
  }

  /// Email addresses.
  public var emailAddresses: [String]? {
    get { self[attribute: "emailAddresses"] }
    set { self[attribute: "emailAddresses"] = newValue }
  }

  /// Addresses for messages.
  public var instantMessageAddresses: [String]? {
    get { self[attribute: "instantMessageAddresses"] }
    set { self[attribute: "instantMessageAddresses"] = newValue }
  }

  /// The mailboxes that have the message.
  public var mailboxIdentifiers: [String]? {
    get { self[attribute: "mailboxIdentifiers"] }
    set { self[attribute: "mailboxIdentifiers"] = newValue }
  }

  /// The headers of the message.
  public var emailHeaders: [String: [String]]? {
    get { self[attribute: "emailHeaders"] }
    set { self[attribute: "emailHeaders"] = newValue }
  }

  /// Whether the message is probably junk.
  public var likelyJunk: NSNumber? {
    get { self[attribute: "likelyJunk"] }
    set { self[attribute: "likelyJunk"] = newValue }
  }

  /// Whether the item can be called, using the first of ``phoneNumbers``.
  public var supportsPhoneCall: NSNumber? {
    get { self[attribute: "supportsPhoneCall"] }
    set { self[attribute: "supportsPhoneCall"] = newValue }
  }

  /// The people that the item is about.
  public var contactKeywords: [String]? {
    get { self[attribute: "contactKeywords"] }
    set { self[attribute: "contactKeywords"] = newValue }
  }
}
