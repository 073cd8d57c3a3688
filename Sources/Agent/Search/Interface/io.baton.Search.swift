// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Search.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

/// A search result.
package struct ControlResult: Structure {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case entry
    case offer
  }

  /// For Open and Forget. An entry's ID ends with a dot and a number, which is enough to specify it
  package var id: String
  /// entry: from the index. offer: another machine's current activity.
  package var kind: Kind
  package var application: String?
  /// The app's display name, if it is installed
  package var applicationName: String?
  package var activityType: String?
  package var title: String
  /// Part of the text that contains the words
  package var snippet: String?
  /// Where the words are in title and snippet: pairs of an offset and a length, in bytes
  package var titleMatches: [Int]
  package var snippetMatches: [Int]
  package var webpageURL: String?
  /// The name of the machine, if it is not this one
  package var device: String?
  /// When it was last donated or opened, in seconds since 1970
  package var lastUsed: Double?
  /// 0 to 1
  package var relevance: Double

  package init(
    id: String,
    kind: Kind,
    application: String? = nil,
    applicationName: String? = nil,
    activityType: String? = nil,
    title: String,
    snippet: String? = nil,
    titleMatches: [Int] = [],
    snippetMatches: [Int] = [],
    webpageURL: String? = nil,
    device: String? = nil,
    lastUsed: Double? = nil,
    relevance: Double
  ) {
    self.id = id
    self.kind = kind
    self.application = application
    self.applicationName = applicationName
    self.activityType = activityType
    self.title = title
    self.snippet = snippet
    self.titleMatches = titleMatches
    self.snippetMatches = snippetMatches
    self.webpageURL = webpageURL
    self.device = device
    self.lastUsed = lastUsed
    self.relevance = relevance
  }
}

/// The members by which a user recognizes a result, because another machine can change it in the meantime.
package struct ShownResult: Structure {
  package var title: String
  package var activityType: String?
  package var webpageURL: String?

  package init(
    title: String,
    activityType: String? = nil,
    webpageURL: String? = nil
  ) {
    self.title = title
    self.activityType = activityType
    self.webpageURL = webpageURL
  }
}

/// An entry of a call, or a part of it, that was not saved.
package struct EntryOmission: Structure {
  /// The position of the entry in the call, from 0
  package var entry: Int
  /// The member that is too long or not allowed, such as activity.webpageURL. Empty if unknown.
  package var member: String
  /// Whether the rest of the entry was saved
  package var isSaved: Bool

  package init(
    entry: Int,
    member: String,
    isSaved: Bool
  ) {
    self.entry = entry
    self.member = member
    self.isSaved = isSaved
  }
}

/// Saves entries of an app, which replace those with the same identifiers. Titles that are too long or contain line
/// breaks are repaired, and long texts are cut. Parts that cannot be saved are left out, and `omitted` lists them. If
/// no
/// entry can be saved, the call fails. Otherwise, either all other entries are saved, or none.
package enum IndexEntries: Method {
  package static let name = "io.baton.Search.Index"

  package struct Reply: Structure {
    package var omitted: [EntryOmission]?

    package init(
      omitted: [EntryOmission]? = nil
    ) {
      self.omitted = omitted
    }
  }
}

package struct Deleted: Structure {
  @Coded<Count> package var deleted: Int

  package init(
    deleted: Int
  ) {
    self.deleted = deleted
  }
}

/// Deletes entries of an app. Specify one of the members; the last two apply to all entries of their kind. The reply is
/// sent when the entries can no longer be found in the files.
package enum DeleteEntries: Method {
  package static let name = "io.baton.Search.Delete"

  package struct Parameters: Structure {
    package var application: String
    package var index: String?
    /// For items
    package var identifiers: [String]?
    package var domainIdentifiers: [String]?
    /// For activities
    package var persistentIdentifiers: [String]?
    package var allItems: Bool?
    package var allActivities: Bool?

    package init(
      application: String,
      index: String? = nil,
      identifiers: [String]? = nil,
      domainIdentifiers: [String]? = nil,
      persistentIdentifiers: [String]? = nil,
      allItems: Bool? = nil,
      allActivities: Bool? = nil
    ) {
      self.application = application
      self.index = index
      self.identifiers = identifiers
      self.domainIdentifiers = domainIdentifiers
      self.persistentIdentifiers = persistentIdentifiers
      self.allItems = allItems
      self.allActivities = allActivities
    }
  }

  package typealias Reply = Deleted
}

package struct ApplicationIndex: Structure {
  package var application: String
  package var index: String?

  package init(
    application: String,
    index: String? = nil
  ) {
    self.application = application
    self.index = index
  }
}

/// Returns the state that the app saved with SetClientState. isNew: whether the app should reindex everything, because
/// its index is new or has lost its contents.
package enum GetClientState: Method {
  package static let name = "io.baton.Search.GetClientState"

  package typealias Parameters = ApplicationIndex

  package struct Reply: Structure {
    package var clientState: String?
    package var isNew: Bool

    package init(
      clientState: String? = nil,
      isNew: Bool
    ) {
      self.clientState = clientState
      self.isNew = isNew
    }
  }
}

/// Stores up to 250 bytes for the app, in base 64. When the reply is sent, all entries that the app has already indexed
/// have been saved.
package enum SetClientState: Method {
  package static let name = "io.baton.Search.SetClientState"

  package struct Parameters: Structure {
    package var application: String
    package var index: String?
    package var clientState: String?

    package init(
      application: String,
      index: String? = nil,
      clientState: String? = nil
    ) {
      self.application = application
      self.index = index
      self.clientState = clientState
    }
  }

  package typealias Reply = Nothing
}

/// Finds items of one app, with an expression in the language of CSSearchQuery. With `more`, each reply contains some
/// of
/// them, and the last one does not contain any. Without `more`, the reply contains those that fit in a message.
package enum QueryItems: Method {
  package static let name = "io.baton.Search.Query"

  package struct Parameters: Structure {
    package var application: String
    /// The name of the app's index; empty for the default one. Absent for all.
    package var index: String?
    /// Up to 4,096 bytes, with up to 16 parentheses around a condition
    package var expression: String

    package init(
      application: String,
      index: String? = nil,
      expression: String
    ) {
      self.application = application
      self.index = index
      self.expression = expression
    }
  }

  package struct Reply: Structure {
    package var entries: [SavedEntry]

    package init(
      entries: [SavedEntry]
    ) {
      self.entries = entries
    }
  }
}

package struct FoundResults: Structure {
  package var results: [ControlResult]

  package init(
    results: [ControlResult]
  ) {
    self.results = results
  }
}

/// Finds entries that contain all words, most relevant first. The last word may be incomplete. Without words, it
/// returns
/// suggestions.
package enum SearchEntries: Method {
  package static let name = "io.baton.Search.Search"

  package struct Parameters: Structure {
    package var words: String
    @Coded<Count?> package var limit: Int?

    package init(
      words: String,
      limit: Int? = nil
    ) {
      self.words = words
      self.limit = limit
    }
  }

  package typealias Reply = FoundResults
}

/// Returns the entries that the user is likely to need next.
package enum SuggestEntries: Method {
  package static let name = "io.baton.Search.Suggest"

  package struct Parameters: Structure {
    @Coded<Count?> package var limit: Int?

    package init(
      limit: Int? = nil
    ) {
      self.limit = limit
    }
  }

  package typealias Reply = FoundResults
}

/// Lets the app that created a result continue it, or shows its page. `shown` contains the values that the user saw. If
/// the result has changed since then, the call fails with `activityChanged`.
package enum OpenResult: Method {
  package static let name = "io.baton.Search.Open"

  package struct Parameters: Structure {
    package var result: String
    package var activationToken: String?
    package var shown: ShownResult?

    package init(
      result: String,
      activationToken: String? = nil,
      shown: ShownResult? = nil
    ) {
      self.result = result
      self.activationToken = activationToken
      self.shown = shown
    }
  }

  package typealias Reply = Nothing
}

/// Deletes the entries that match all of the specified members; without members, it does not delete anything. Times are
/// in seconds since 1970; an entry matches if it was last used in that period. The reply is sent when the entries can
/// no
/// longer be found in the files.
package enum ForgetEntries: Method {
  package static let name = "io.baton.Search.Forget"

  package struct Parameters: Structure {
    package var result: String?
    package var application: String?
    package var since: Double?
    package var until: Double?
    package var all: Bool?

    package init(
      result: String? = nil,
      application: String? = nil,
      since: Double? = nil,
      until: Double? = nil,
      all: Bool? = nil
    ) {
      self.result = result
      self.application = application
      self.since = since
      self.until = until
      self.all = all
    }
  }

  package typealias Reply = Deleted
}

/// Returns the size of the index.
package enum GetSearchStatus: Method {
  package static let name = "io.baton.Search.GetStatus"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    @Coded<Count> package var entries: Int
    /// Of these, the entries that other machines have shared, and those that this machine shares
    @Coded<Count> package var foreign: Int
    @Coded<Count> package var shared: Int
    package var applications: [ApplicationStatus]
    /// The size of the files in bytes
    @Coded<Count> package var size: Int
    /// The teams that this machine shares with
    package var teams: [String]
    package var suggests: Bool
    /// The path of a damaged index that was moved aside
    package var damaged: String?

    package init(
      entries: Int,
      foreign: Int,
      shared: Int,
      applications: [ApplicationStatus],
      size: Int,
      teams: [String],
      suggests: Bool,
      damaged: String? = nil
    ) {
      self.entries = entries
      self.foreign = foreign
      self.shared = shared
      self.applications = applications
      self.size = size
      self.teams = teams
      self.suggests = suggests
      self.damaged = damaged
    }
  }
}

package struct ApplicationStatus: Structure {
  package var application: String
  package var applicationName: String?
  @Coded<Count> package var entries: Int

  package init(
    application: String,
    applicationName: String? = nil,
    entries: Int
  ) {
    self.application = application
    self.applicationName = applicationName
    self.entries = entries
  }
}

extension InterfaceDescription {
  /// `io.baton.Search`, as it is published.
  package static let search = InterfaceDescription(
    name: "io.baton.Search",
    text: #"""
      # The index of a user's past activities, for programs and people to search. `baton agent` serves it for its own user.
      # Search.md explains it.
      interface io.baton.Search

      # An activity, as in io.baton.Handoff.
      type Activity (
        # A UUID
        id: string,
        activityType: string,
        title: ?string,
        userInfo: ?object,
        webpageURL: ?string,
        referrerURL: ?string,
        targetContentIdentifier: ?string,
        persistentIdentifier: ?string
      )

      # The stored part of an app's activity or item. An absent member has its default: nothing or false.
      type Entry (
        # The app's identifier of it, among its activities or its items: at most 1,024 bytes
        identifier: string,
        # Labels separated by dots. Deleting a.b also deletes a.b.c.
        domainIdentifier: ?string,
        # For an activity: the item that it shows and is deleted with
        relatedIdentifier: ?string,
        # For an activity: whether it stays when that item is deleted
        isWeaklyRelated: ?bool,
        title: ?string,
        contentDescription: ?string,
        keywords: ?[]string,
        textContent: ?string,
        # Other attributes, by their names in Core Spotlight, in the encoding of ControlInterface.md, "userInfo"
        attributes: ?object,
        # An image in base 64
        thumbnailData: ?string,
        # Absent if this is an item. Its userInfo contains only what is needed to restore it.
        activity: ?Activity,
        # Seconds since 1970-01-01 00:00:00 UTC. Without it, the entry is deleted 30 days after it was last used.
        expirationDate: ?float,
        # Whether people can find it. Items can always be found.
        isEligibleForSearch: ?bool,
        # Whether it may be shared with the user's teams. It can then also be found here.
        isEligibleForPublicIndexing: ?bool,
        # Whether it may be suggested
        isEligibleForPrediction: ?bool
      )

      # A search result.
      type Result (
        # For Open and Forget. An entry's ID ends with a dot and a number, which is enough to specify it
        id: string,
        # entry: from the index. offer: another machine's current activity.
        kind: (entry, offer),
        application: ?string,
        # The app's display name, if it is installed
        applicationName: ?string,
        activityType: ?string,
        title: string,
        # Part of the text that contains the words
        snippet: ?string,
        # Where the words are in title and snippet: pairs of an offset and a length, in bytes
        titleMatches: []int,
        snippetMatches: []int,
        webpageURL: ?string,
        # The name of the machine, if it is not this one
        device: ?string,
        # When it was last donated or opened, in seconds since 1970
        lastUsed: ?float,
        # 0 to 1
        relevance: float
      )

      # The members by which a user recognizes a result, because another machine can change it in the meantime.
      type ShownResult (
        title: string,
        activityType: ?string,
        webpageURL: ?string
      )

      # An entry of a call, or a part of it, that was not saved.
      type Omission (
        # The position of the entry in the call, from 0
        entry: int,
        # The member that is too long or not allowed, such as activity.webpageURL. Empty if unknown.
        member: string,
        # Whether the rest of the entry was saved
        isSaved: bool
      )

      # Saves entries of an app, which replace those with the same identifiers. Titles that are too long or contain line
      # breaks are repaired, and long texts are cut. Parts that cannot be saved are left out, and `omitted` lists them. If no
      # entry can be saved, the call fails. Otherwise, either all other entries are saved, or none.
      method Index(
        # The app: at most 255 bytes
        application: string,
        # For items: the name of the app's index. Absent for the default one.
        index: ?string,
        entries: []Entry,
        # Identifiers of activities that the entries also replace
        replaces: ?[]string
      ) -> (omitted: ?[]Omission)

      # Deletes entries of an app. Specify one of the members; the last two apply to all entries of their kind. The reply is
      # sent when the entries can no longer be found in the files.
      method Delete(
        application: string,
        index: ?string,
        # For items
        identifiers: ?[]string,
        domainIdentifiers: ?[]string,
        # For activities
        persistentIdentifiers: ?[]string,
        allItems: ?bool,
        allActivities: ?bool
      ) -> (deleted: int)

      # Returns the state that the app saved with SetClientState. isNew: whether the app should reindex everything, because
      # its index is new or has lost its contents.
      method GetClientState(application: string, index: ?string) -> (clientState: ?string, isNew: bool)

      # Stores up to 250 bytes for the app, in base 64. When the reply is sent, all entries that the app has already indexed
      # have been saved.
      method SetClientState(application: string, index: ?string, clientState: ?string) -> ()

      # Finds items of one app, with an expression in the language of CSSearchQuery. With `more`, each reply contains some of
      # them, and the last one does not contain any. Without `more`, the reply contains those that fit in a message.
      method Query(
        application: string,
        # The name of the app's index; empty for the default one. Absent for all.
        index: ?string,
        # Up to 4,096 bytes, with up to 16 parentheses around a condition
        expression: string
      ) -> (entries: []Entry)

      # Finds entries that contain all words, most relevant first. The last word may be incomplete. Without words, it returns
      # suggestions.
      method Search(words: string, limit: ?int) -> (results: []Result)

      # Returns the entries that the user is likely to need next.
      method Suggest(limit: ?int) -> (results: []Result)

      # Lets the app that created a result continue it, or shows its page. `shown` contains the values that the user saw. If
      # the result has changed since then, the call fails with `activityChanged`.
      method Open(result: string, activationToken: ?string, shown: ?ShownResult) -> ()

      # Deletes the entries that match all of the specified members; without members, it does not delete anything. Times are
      # in seconds since 1970; an entry matches if it was last used in that period. The reply is sent when the entries can no
      # longer be found in the files.
      method Forget(
        result: ?string,
        application: ?string,
        since: ?float,
        until: ?float,
        all: ?bool
      ) -> (deleted: int)

      # Returns the size of the index.
      method GetStatus() -> (
        entries: int,
        # Of these, the entries that other machines have shared, and those that this machine shares
        foreign: int,
        shared: int,
        applications: []ApplicationStatus,
        # The size of the files in bytes
        size: int,
        # The teams that this machine shares with
        teams: []string,
        suggests: bool,
        # The path of a damaged index that was moved aside
        damaged: ?string
      )

      type ApplicationStatus (application: string, applicationName: ?string, entries: int)

      # Why a call failed, and one sentence to show to users.
      error Failed(reason: Reason, message: string)

      # Reasons.md explains them. A newer service may have more.
      type Reason (
        entryNotFound, expressionInvalid, indexUnavailable, limitReached,
        # From opening a result
        activityNotFound, applicationNotFound, browserNotFound, launchFailed, launchTimedOut, daemonUnreachable,
        internalFailure
      )

      """#
  )
}
