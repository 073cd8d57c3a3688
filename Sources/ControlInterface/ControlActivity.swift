import Activity
import JSONCoding
import Varlink

/// The type `Activity`: an activity as a client sends or receives it, before its contents are checked.
package struct ControlActivity: Structure {
  /// The activity's ID. If it is nil when publishing, the daemon creates one.
  package var id: ActivityID?
  package var activityType: String
  package var title: String?
  /// An object. Nil stands for an empty one.
  package var userInfo: JSON?
  package var webpageURL: String?
  package var referrerURL: String?
  package var targetContentIdentifier: String?
  /// Seconds since 1970-01-01 00:00:00 UTC.
  package var expirationDate: Double?
  package var needsSave = false
  package var supportsContinuationStreams = false
  /// False if the activity is current but not meant for other machines.
  package var isEligibleForHandoff = true

  package init(id: ActivityID? = nil, activityType: String) {
    self.id = id
    self.activityType = activityType
  }

  package init(_ members: inout Members) throws(InvalidParameter) {
    id = try members.optional("id") { $0.string.flatMap(ActivityID.init(text:)) }
    activityType = try members.required("activityType", \.string)
    title = try members.optional("title", \.string)
    userInfo = try members.optional("userInfo") { $0.object.map(JSON.object) }
    webpageURL = try members.optional("webpageURL", \.string)
    referrerURL = try members.optional("referrerURL", \.string)
    targetContentIdentifier = try members.optional("targetContentIdentifier", \.string)
    expirationDate = try members.optional("expirationDate", \.number)
    needsSave = try members.optional("needsSave", \.bool) ?? false
    supportsContinuationStreams = try members.optional("supportsContinuationStreams", \.bool) ?? false
    isEligibleForHandoff = try members.optional("isEligibleForHandoff", \.bool) ?? true
  }

  package var members: [String: JSON] {
    var members: [String: JSON] = ["activityType": .string(activityType)]
    members["id"] = id.map { .string($0.description) }
    members["title"] = title.map(JSON.string)
    members["userInfo"] = userInfo
    members["webpageURL"] = webpageURL.map(JSON.string)
    members["referrerURL"] = referrerURL.map(JSON.string)
    members["targetContentIdentifier"] = targetContentIdentifier.map(JSON.string)
    members["expirationDate"] = expirationDate.map(JSON.double)
    if needsSave { members["needsSave"] = true }
    if supportsContinuationStreams { members["supportsContinuationStreams"] = true }
    if !isEligibleForHandoff { members["isEligibleForHandoff"] = false }
    return members
  }
}

extension ControlActivity {
  package init(_ record: ActivityRecord) {
    self.init(id: record.id, activityType: record.activityType)
    title = record.title
    userInfo = record.userInfo == .empty ? nil : record.userInfo.json
    webpageURL = record.webpageURL
    referrerURL = record.referrerURL
    targetContentIdentifier = record.targetContentIdentifier
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
    var record = try ActivityRecord(id: id ?? newID(), activityType: activityType)
    record.title = title
    if let userInfo { record.userInfo = try UserInfo(json: userInfo) }
    record.webpageURL = webpageURL
    record.referrerURL = referrerURL
    record.targetContentIdentifier = targetContentIdentifier
    record.expirationDate = expirationDate
    record.needsSave = needsSave
    record.supportsContinuationStreams = supportsContinuationStreams
    record.isEligibleForHandoff = isEligibleForHandoff
    return try record.validated()
  }
}
