import Activity

/// What people were asked about lately, so that it is known whether the other machine has changed it.
struct Questions: Sendable {
  private var titles = RecentTable<ActivityID, (text: String, revision: Int)>(limit: Limits.rememberedQuestions)

  /// Returns which question this is: nil for the first one about a transfer, and from 2 if it has another title than
  /// before.
  mutating func revision(_ id: ActivityID, _ title: String) -> Int? {
    let earlier = titles[id]
    // Checked: nobody asks that often.
    let revision = (earlier?.revision ?? 0) + (earlier?.text.hasBytes(of: title) == true ? 0 : 1)
    titles[id] = (title, revision)
    return revision > 1 ? revision : nil
  }
}
