import Varlink

extension InterfaceDescription {
  /// `io.baton.Search`. Scripts/embed-interface made this from Documentation/io.baton.Search.varlink.
  /// Edit that file.
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
