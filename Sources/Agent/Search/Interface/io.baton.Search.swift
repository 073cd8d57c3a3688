// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Search.varlink. Edit that file.

import Activity
import JSONCoding
import Varlink

/// What a search found.
package struct ControlResult: Structure {
  package enum Kind: String, CaseIterable, Codable, Sendable {
    case entry
    case offer
  }

  /// For Open and Forget: of an entry, its number after a dot, which people can give alone
  package var id: String
  /// entry: of the index. offer: another machine's current activity.
  package var kind: Kind
  package var application: String?
  /// The app's name for people, if it is installed
  package var applicationName: String?
  package var activityType: String?
  package var title: String
  /// Part of the text that contains the words
  package var snippet: String?
  /// Where the words are in title and snippet: pairs of an offset and a length, in bytes
  package var titleMatches: [Int]
  package var snippetMatches: [Int]
  package var webpageURL: String?
  /// The name of the machine, if it is another one
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

/// What distinguishes a result for the person who chooses it: another machine can change it meanwhile.
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
  /// The place of the entry in the call, from 0
  package var entry: Int
  /// The member that is too long or not allowed, such as activity.webpageURL. Empty if it is not known.
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

/// Saves entries of an app, which replace those with the same identifiers. A title that is too long or has several
/// lines is
/// repaired, and texts are cut. What cannot be saved is left out, and `omitted` names it. If no entry can be saved, the
/// call
/// fails. Otherwise, all others are saved, or none.
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

/// Deletes entries of an app. Give one of the members; the last two apply to all entries of their kind. The reply comes
/// when the entries can no longer be found in the files.
package enum DeleteEntries: Method {
  package static let name = "io.baton.Search.Delete"

  package struct Parameters: Structure {
    package var application: String
    package var index: String?
    /// Of items
    package var identifiers: [String]?
    package var domainIdentifiers: [String]?
    /// Of activities
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

/// Returns what the app saved with SetClientState. isNew: whether the app should index everything again, because the
/// index does not know this app's index or has lost its contents.
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

/// Keeps up to 250 bytes for the app, in base 64. The entries that it indexed before are then saved.
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

/// Finds items of one app, with an expression in the language of CSSearchQuery. With more, each reply has some of them,
/// and the last one has none. Without more, the reply has those that fit in a message.
package enum QueryItems: Method {
  package static let name = "io.baton.Search.Query"

  package struct Parameters: Structure {
    package var application: String
    /// The name of the app's index; empty for the default one. Absent for all.
    package var index: String?
    /// At most 4,096 bytes, with at most 16 brackets around a condition
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

/// Finds what contains all words, the most relevant first. The last word may be incomplete. Without words, it suggests.
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

/// Returns what is likely to be next.
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

/// Lets the app that made a result continue it, or shows its page. `shown` is what the person was shown. If the result
/// is
/// something else by now, the call fails with `activityChanged`.
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

/// Deletes what matches all members that are given; nothing if none is. Times are seconds since 1970; an entry matches
/// if
/// it was last used in that span. The reply comes when the entries can no longer be found in the files.
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

/// Returns how much is kept.
package enum GetSearchStatus: Method {
  package static let name = "io.baton.Search.GetStatus"

  package typealias Parameters = Nothing

  package struct Reply: Structure {
    @Coded<Count> package var entries: Int
    /// Of these, what other machines shared, and what this machine shares
    @Coded<Count> package var foreign: Int
    @Coded<Count> package var shared: Int
    package var applications: [ApplicationStatus]
    /// The size of the files in bytes
    @Coded<Count> package var size: Int
    /// The teams with which this machine shares
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
      # The index of what a user did, in which programs and people search. `baton agent` serves it for its own user.
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

      # What the index keeps of an activity or of an item of an app. An absent member has its default: nothing or false.
      type Entry (
        # The app's name of it, among its activities or its items: at most 1,024 bytes
        identifier: string,
        # Labels that are separated by dots. Deleting a.b deletes a.b.c, too.
        domainIdentifier: ?string,
        # Of an activity: the item that it shows, and with which it is deleted
        relatedIdentifier: ?string,
        # Of an activity: whether it stays when that item is deleted
        isWeaklyRelated: ?bool,
        title: ?string,
        contentDescription: ?string,
        keywords: ?[]string,
        textContent: ?string,
        # Other attributes, by their names in Core Spotlight, in the encoding of ControlInterface.md, "userInfo"
        attributes: ?object,
        # An image in base 64
        thumbnailData: ?string,
        # Absent if this is an item. Its userInfo is what is needed to restore it.
        activity: ?Activity,
        # Seconds since 1970-01-01 00:00:00 UTC. Without it, the entry is deleted 30 days after it was last used.
        expirationDate: ?float,
        # Whether people find it. Items are always found.
        isEligibleForSearch: ?bool,
        # Whether it may be shared with the user's teams. It then is found here, too.
        isEligibleForPublicIndexing: ?bool,
        # Whether it may be suggested
        isEligibleForPrediction: ?bool
      )

      # What a search found.
      type Result (
        # For Open and Forget: of an entry, its number after a dot, which people can give alone
        id: string,
        # entry: of the index. offer: another machine's current activity.
        kind: (entry, offer),
        application: ?string,
        # The app's name for people, if it is installed
        applicationName: ?string,
        activityType: ?string,
        title: string,
        # Part of the text that contains the words
        snippet: ?string,
        # Where the words are in title and snippet: pairs of an offset and a length, in bytes
        titleMatches: []int,
        snippetMatches: []int,
        webpageURL: ?string,
        # The name of the machine, if it is another one
        device: ?string,
        # When it was last donated or opened, in seconds since 1970
        lastUsed: ?float,
        # 0 to 1
        relevance: float
      )

      # What distinguishes a result for the person who chooses it: another machine can change it meanwhile.
      type ShownResult (
        title: string,
        activityType: ?string,
        webpageURL: ?string
      )

      # An entry of a call, or a part of it, that was not saved.
      type Omission (
        # The place of the entry in the call, from 0
        entry: int,
        # The member that is too long or not allowed, such as activity.webpageURL. Empty if it is not known.
        member: string,
        # Whether the rest of the entry was saved
        isSaved: bool
      )

      # Saves entries of an app, which replace those with the same identifiers. A title that is too long or has several lines is
      # repaired, and texts are cut. What cannot be saved is left out, and `omitted` names it. If no entry can be saved, the call
      # fails. Otherwise, all others are saved, or none.
      method Index(
        # The app: at most 255 bytes
        application: string,
        # Of items: the name of the app's index. Absent for the default one.
        index: ?string,
        entries: []Entry,
        # Identifiers of activities that the entries replace, too
        replaces: ?[]string
      ) -> (omitted: ?[]Omission)

      # Deletes entries of an app. Give one of the members; the last two apply to all entries of their kind. The reply comes
      # when the entries can no longer be found in the files.
      method Delete(
        application: string,
        index: ?string,
        # Of items
        identifiers: ?[]string,
        domainIdentifiers: ?[]string,
        # Of activities
        persistentIdentifiers: ?[]string,
        allItems: ?bool,
        allActivities: ?bool
      ) -> (deleted: int)

      # Returns what the app saved with SetClientState. isNew: whether the app should index everything again, because the
      # index does not know this app's index or has lost its contents.
      method GetClientState(application: string, index: ?string) -> (clientState: ?string, isNew: bool)

      # Keeps up to 250 bytes for the app, in base 64. The entries that it indexed before are then saved.
      method SetClientState(application: string, index: ?string, clientState: ?string) -> ()

      # Finds items of one app, with an expression in the language of CSSearchQuery. With more, each reply has some of them,
      # and the last one has none. Without more, the reply has those that fit in a message.
      method Query(
        application: string,
        # The name of the app's index; empty for the default one. Absent for all.
        index: ?string,
        # At most 4,096 bytes, with at most 16 brackets around a condition
        expression: string
      ) -> (entries: []Entry)

      # Finds what contains all words, the most relevant first. The last word may be incomplete. Without words, it suggests.
      method Search(words: string, limit: ?int) -> (results: []Result)

      # Returns what is likely to be next.
      method Suggest(limit: ?int) -> (results: []Result)

      # Lets the app that made a result continue it, or shows its page. `shown` is what the person was shown. If the result is
      # something else by now, the call fails with `activityChanged`.
      method Open(result: string, activationToken: ?string, shown: ?ShownResult) -> ()

      # Deletes what matches all members that are given; nothing if none is. Times are seconds since 1970; an entry matches if
      # it was last used in that span. The reply comes when the entries can no longer be found in the files.
      method Forget(
        result: ?string,
        application: ?string,
        since: ?float,
        until: ?float,
        all: ?bool
      ) -> (deleted: int)

      # Returns how much is kept.
      method GetStatus() -> (
        entries: int,
        # Of these, what other machines shared, and what this machine shares
        foreign: int,
        shared: int,
        applications: []ApplicationStatus,
        # The size of the files in bytes
        size: int,
        # The teams with which this machine shares
        teams: []string,
        suggests: bool,
        # The path of a damaged index that was moved aside
        damaged: ?string
      )

      type ApplicationStatus (application: string, applicationName: ?string, entries: int)

      # Why a call failed, and one sentence for people.
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
