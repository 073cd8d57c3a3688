// SPDX-License-Identifier: Apache-2.0

import Baton
import CoreSpotlight
import UniformTypeIdentifiers

// An app that makes its recipes searchable, as tutorials for Core Spotlight show it.

struct Recipe {
  static let domainIdentifier = "org.example.recipes"

  let id: String
  let name: String
  let ingredients: [String]
  let picture: Data?

  var userActivityUserInfo: [AnyHashable: Any] { ["id": id] }

  var userActivity: NSUserActivity {
    let activity = NSUserActivity(activityType: Recipe.domainIdentifier)
    activity.title = name
    activity.userInfo = userActivityUserInfo
    activity.keywords = Set(ingredients)
    activity.contentAttributeSet = attributeSet
    activity.requiredUserInfoKeys = ["id"]
    activity.persistentIdentifier = NSUserActivityPersistentIdentifier(id)
    activity.suggestedInvocationPhrase = "Cook \(name)"
    return activity
  }

  var attributeSet: CSSearchableItemAttributeSet {
    let attributeSet = CSSearchableItemAttributeSet(itemContentType: kUTTypeText as String)
    attributeSet.title = name
    attributeSet.contentDescription = ingredients.joined(separator: "\n")
    attributeSet.thumbnailData = picture
    attributeSet.supportsPhoneCall = true
    attributeSet.keywords = ingredients
    attributeSet.rating = NSNumber(value: 4.5)
    return attributeSet
  }

  /// As apps with mail, documents and podcasts have them.
  var otherAttributeSets: [CSSearchableItemAttributeSet] {
    let attributeSet = CSSearchableItemAttributeSet()
    attributeSet.containerTitle = "Recipes"
    attributeSet.containerDisplayName = "Recipes"
    attributeSet.containerIdentifier = Recipe.domainIdentifier
    attributeSet.containerOrder = 3 as NSNumber
    attributeSet.information = name
    attributeSet.darkThumbnailURL = URL(fileURLWithPath: "/dark.png")
    attributeSet.actionIdentifiers = ["cook"]
    attributeSet.providerDataTypeIdentifiers = [kUTTypeEmailMessage as String]
    attributeSet.providerFileTypeIdentifiers = [kUTTypeCompositeContent as String, UTType.propertyList.identifier]
    attributeSet.providerInPlaceFileTypeIdentifiers = [kUTTypeSpreadsheet as String]
    return [attributeSet, CSSearchableItemAttributeSet(itemContentType: kUTTypeCompositeContent as String)]
  }

  var searchableItem: CSSearchableItem {
    let item = CSSearchableItem(
      uniqueIdentifier: id,
      domainIdentifier: Recipe.domainIdentifier,
      attributeSet: attributeSet
    )
    item.expirationDate = Date.distantFuture
    return item
  }
}

class RecipeViewController: UIViewController {
  var recipe: Recipe? {
    didSet {
      guard let recipe = recipe else { return }
      let activity = recipe.userActivity
      activity.isEligibleForSearch = true
      activity.isEligibleForPublicIndexing = true
      activity.contentAttributeSet?.relatedUniqueIdentifier = nil
      userActivity = activity
    }
  }

  override func updateUserActivityState(_ activity: NSUserActivity) {
    if let recipe = recipe { activity.addUserInfoEntries(from: recipe.userActivityUserInfo) }
  }
}

class RecipeIndexer: NSObject, CSSearchableIndexDelegate {
  let index = CSSearchableIndex(name: "recipes")

  func indexAll(_ recipes: [Recipe]) {
    let searchableItems = recipes.map { recipe in recipe.searchableItem }
    CSSearchableIndex.default().indexSearchableItems(searchableItems) { error in
      if let error = error {
        print("Error indexing: \(error.localizedDescription)")
      } else {
        print("Items indexed.")
      }
    }
  }

  func destroy() {
    CSSearchableIndex.default().deleteSearchableItems(withDomainIdentifiers: [Recipe.domainIdentifier]) { error in
      if let error = error { print(error.localizedDescription) }
    }
    NSUserActivity.deleteSavedUserActivities(withPersistentIdentifiers: ["1"]) {}
    NSUserActivity.deleteAllSavedUserActivities {}
  }

  func replaceAll(_ recipes: [Recipe]) async throws {
    guard CSSearchableIndex.isIndexingAvailable() else { return }
    index.indexDelegate = self
    let last = try? await index.fetchLastClientState()
    index.beginBatch()
    try await index.indexSearchableItems(recipes.map(\.searchableItem))
    try await index.endBatch(withClientState: last ?? Data())
    await NSUserActivity.deleteAllSavedUserActivities()
  }

  func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexAllSearchableItemsWithAcknowledgementHandler acknowledgementHandler: @escaping () -> Void
  ) {
    acknowledgementHandler()
  }

  func searchableIndex(
    _ searchableIndex: CSSearchableIndex,
    reindexSearchableItemsWithIdentifiers identifiers: [String],
    acknowledgementHandler: @escaping () -> Void
  ) {
    acknowledgementHandler()
  }
}

class RecipeSearch {
  private var query: CSSearchQuery?

  func search(_ text: String, completion: @escaping @Sendable (Int) -> Void) {
    query?.cancel()
    let queryString = "title == \"*\(text)*\"cd"
    let context = CSSearchQueryContext()
    context.fetchAttributes = ["title", "contentDescription"]
    let query = CSSearchQuery(queryString: queryString, queryContext: context)
    query.foundItemsHandler = { items in
      for item in items { print(item.uniqueIdentifier, item.attributeSet.title ?? "") }
    }
    query.completionHandler = { [weak query] error in
      if let error = error as? CSSearchQueryError, error.code == .cancelled { return }
      completion(query?.foundItemCount ?? 0)
    }
    query.start()
    self.query = query
  }
}

class RecipeAppDelegate: UIResponder, UIApplicationDelegate {
  var opened: String?

  func application(
    _ application: UIApplication,
    continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    if userActivity.activityType == CSSearchableItemActionType {
      opened = userActivity.userInfo?[CSSearchableItemActivityIdentifier] as? String
    } else if userActivity.activityType == Recipe.domainIdentifier {
      opened = userActivity.userInfo?["id"] as? String
    } else if userActivity.activityType == CSQueryContinuationActionType {
      opened = userActivity.userInfo?[CSSearchQueryString] as? String
    }
    return opened != nil
  }
}

/// Handlers that come back to the main thread.
@MainActor
class RecipeList {
  var count = 0

  func removeAll(completion: (@Sendable (Error?) -> Void)?) {
    let index = CSSearchableIndex.default()
    index.deleteAllSearchableItems { error in
      Task { @MainActor in if error == nil { self.count = 0 } }
    }
    index.deleteSearchableItems(withIdentifiers: ["1"], completionHandler: completion)
    index.fetchLastClientState { _, error in completion?(error) }
    NSUserActivity.deleteAllSavedUserActivities { completion?(nil) }
  }
}
