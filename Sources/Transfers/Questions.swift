import Activity

/// What people were asked about lately, so that it is known whether the other machine has changed it.
struct Questions: Sendable {
  /// How people name a question: the machine, and the part of the transfer's ID that lists show. The machine chooses
  /// the ID, so another transfer can have the same part.
  private struct Name: Hashable {
    let deviceID: DeviceID
    let digits: String
  }

  private var asked = RecentTable<Name, (id: ActivityID, title: String, revision: Int)>(
    limit: Limits.rememberedQuestions
  )

  /// Returns which question this is: nil for the first one of that name, and from 2 if it is another transfer than
  /// before, or has another title.
  mutating func revision(_ id: ActivityID, from deviceID: DeviceID, _ title: String) -> Int? {
    let name = Name(deviceID: deviceID, digits: String(id.description.prefix(Limits.shownTransferDigits)))
    let earlier = asked[name]
    let isSame = earlier.map { $0.id == id && $0.title.hasBytes(of: title) } ?? false
    // Checked: nobody asks that often.
    let revision = (earlier?.revision ?? 0) + (isSame ? 0 : 1)
    asked[name] = (id, title, revision)
    return revision > 1 ? revision : nil
  }
}
