// SPDX-License-Identifier: Apache-2.0

import Baton
import Foundation

/// Returns an activity's properties in the form that a report carries.
func properties(of activity: NSUserActivity) -> [String: Any?] {
  [
    "type": activity.activityType,
    "title": activity.title,
    "userInfo": activity.userInfo.map { userInfo in
      Dictionary(userInfo.map { (typed($0.key.base), typed($0.value)) }) { first, _ in first }
    },
    "requiredUserInfoKeys": activity.requiredUserInfoKeys?.sorted(),
    "needsSave": activity.needsSave,
    "webpageURL": activity.webpageURL?.absoluteString,
    "referrerURL": activity.referrerURL?.absoluteString,
    "expires": activity.expirationDate?.timeIntervalSince1970,
    "keywords": activity.keywords.sorted(),
    "supportsContinuationStreams": activity.supportsContinuationStreams,
    "targetContentIdentifier": activity.targetContentIdentifier,
    "persistentIdentifier": activity.persistentIdentifier,
    "isEligibleForHandoff": activity.isEligibleForHandoff,
  ]
}

/// Describes a value of a `userInfo` with its type, as an app finds it by casting.
func typed(_ value: Any) -> String {
  switch value {
  case let value as String: return value
  case is NSNull: return "null"
  case let value as Data: return "data " + value.base64EncodedString()
  case let value as Date: return "date \(value.timeIntervalSinceReferenceDate)"
  case let value as URL: return "url " + value.absoluteString
  case let value as UUID: return "uuid " + value.uuidString
  case let value as NSNumber: return typed(value)
  case let value as [Any]: return "array [" + value.map { typed($0) }.joined(separator: ", ") + "]"
  case let value as Set<AnyHashable>:
    return "set {" + value.map { typed($0.base) }.sorted().joined(separator: ", ") + "}"
  case let value as [AnyHashable: Any]:
    let pairs = value.map { "\(typed($0.key.base)): \(typed($0.value))" }
    return "dictionary {" + pairs.sorted().joined(separator: ", ") + "}"
  default: return "\(type(of: value))"
  }
}

private func typed(_ number: NSNumber) -> String {
  if type(of: number) == type(of: NSNumber(value: true)) { return "bool \(number.boolValue)" }
  return String(cString: number.objCType) == "d" ? "double \(number.doubleValue)" : "integer \(number)"
}
