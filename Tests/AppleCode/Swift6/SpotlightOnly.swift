// SPDX-License-Identifier: Apache-2.0

import CoreSpotlight

// On Apple's platforms, `import CoreSpotlight` brings `NSUserActivity`.

func identifier(of activity: NSUserActivity) -> String? {
  guard activity.activityType == CSSearchableItemActionType else { return nil }
  return activity.userInfo?[CSSearchableItemActivityIdentifier] as? String
}

func describe(_ song: String) -> NSUserActivity {
  let attributes = CSSearchableItemAttributeSet(itemContentType: "public.audio")
  attributes.title = song
  attributes.deliveryType = 1
  let activity = NSUserActivity(activityType: "com.example.song")
  activity.contentAttributeSet = attributes
  activity.isEligibleForSearch = true
  activity.becomeCurrent()
  return activity
}
