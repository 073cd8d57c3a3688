/// The type of the activity that your app continues when people open one of its items.
public let CSSearchableItemActionType = "com.apple.corespotlightitem"
/// The key in the `userInfo` of that activity: the item's ``CSSearchableItem/uniqueIdentifier``.
public let CSSearchableItemActivityIdentifier = "kCSSearchableItemActivityIdentifier"
/// The type of the activity with which a search would go on in your app. Nothing here starts one.
public let CSQueryContinuationActionType = "com.apple.corespotlightcontinuation"
/// The key in the `userInfo` of that activity: what was searched for.
public let CSSearchQueryString = "kCSSearchQueryString"
/// The domain of the errors of ``CSSearchableIndex``.
public let CSIndexErrorDomain = "CSIndexErrorDomain"
/// The domain of the errors of ``CSSearchQuery``.
public let CSSearchQueryErrorDomain = "CSSearchQueryErrorDomain"
