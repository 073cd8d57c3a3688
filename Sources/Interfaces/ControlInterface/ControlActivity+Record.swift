// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

extension ControlActivity {
  package init(_ record: ActivityRecord) {
    self.init(id: record.id, activityType: record.activityType)
    title = record.title
    userInfo = record.userInfo == .empty ? nil : record.userInfo.json
    webpageURL = record.webpageURL
    referrerURL = record.referrerURL
    targetContentIdentifier = record.targetContentIdentifier
    persistentIdentifier = record.persistentIdentifier
    expirationDate = record.expirationDate
    needsSave = record.needsSave
    supportsContinuationStreams = record.supportsContinuationStreams
    isEligibleForHandoff = record.isEligibleForHandoff
  }

  /// Returns the activity after checking its contents.
  ///
  /// - Parameter newID: The activity's ID if the client gave none.
  /// - Throws: the reason that names the first part that is not allowed.
  package func record(newID: @autoclosure () -> ActivityID) throws(Reason) -> ActivityRecord {
    try checked(newID: newID()).record
  }

  /// - Returns: Also the members that were left out, because they are too long. Nil if there are none.
  package func checked(
    newID: @autoclosure () -> ActivityID
  ) throws(Reason) -> (record: ActivityRecord, omitted: [String]?) {
    var record = try ActivityRecord(id: id ?? newID(), activityType: activityType)
    record.title = title
    if let userInfo { record.userInfo = try UserInfo(json: userInfo) }
    record.webpageURL = webpageURL
    record.referrerURL = referrerURL
    record.targetContentIdentifier = targetContentIdentifier
    record.persistentIdentifier = persistentIdentifier
    record.expirationDate = expirationDate
    record.needsSave = needsSave
    record.supportsContinuationStreams = supportsContinuationStreams
    record.isEligibleForHandoff = isEligibleForHandoff
    let repaired = try record.repaired().validated()
    let omitted = record.members(missingIn: repaired)
    return (repaired, omitted.isEmpty ? nil : omitted)
  }
}
