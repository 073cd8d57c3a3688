// SPDX-License-Identifier: Apache-2.0

import Activity

/// What people were asked about lately, so that it is known whether the other machine has changed it.
struct Questions: Sendable {
  /// Of how many questions about transfers it is known whether what they ask about was changed.
  static let rememberedQuestions = 512

  /// The questions by the part of the transfer's ID that lists show, which is how people name them. The machines choose
  /// the IDs, so another transfer can have the same part, also one of another machine.
  private var asked = RecentTable<String, (id: ActivityID, deviceID: DeviceID, title: String, revision: Int)>(
    limit: Self.rememberedQuestions
  )
  /// The highest revision so far, which those that were forgotten may have had.
  private var highest = 0

  /// Returns which question this is: nil for the first one of that name, and from 2 if it is another transfer than
  /// before, or has another title.
  mutating func revision(_ id: ActivityID, from deviceID: DeviceID, _ title: String) -> Int? {
    let name = String(id.description.prefix(Limits.shownTransferDigits))
    let earlier = asked[name]
    let isSame = earlier.map { $0.id == id && $0.deviceID == deviceID && $0.title.hasBytes(of: title) } ?? false
    // A machine that asks and withdraws often makes the table forget, also what it asked itself.
    let forgotten = asked.count >= Self.rememberedQuestions / 2 ? highest : 0
    // Checked: nobody asks that often.
    let revision = (earlier?.revision ?? forgotten) + (isSame ? 0 : 1)
    highest = max(highest, revision)
    asked[name] = (id, deviceID, title, revision)
    return revision > 1 ? revision : nil
  }
}
