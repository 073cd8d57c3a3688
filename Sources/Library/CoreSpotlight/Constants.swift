// SPDX-License-Identifier: Apache-2.0

/// The type of the activity that your app continues when people open one of its items.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key of the item's ``CSSearchableItem/uniqueIdentifier`` in the `userInfo` of that activity.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The type of an activity that continues a search in your app. Nothing here creates one.
public let CSQueryContinuationActionType = "com.apple.corespotlightcontinuation"
/// The key of the search text in the `userInfo` of that activity.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The domain of the errors of ``CSSearchableIndex``.
public let CSIndexErrorDomain = "CSIndexErrorDomain"
/// The domain of the errors of ``CSSearchQuery``.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"
