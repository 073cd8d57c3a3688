// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Foundation
import JSONCoding
import Search
import Varlink

@testable import Baton
@testable import CoreSpotlight

/// What an app gets from another machine through the library: the activity that it continues, and the items that it
/// finds. Apps print such values, compare them, calculate with them and send them on.
enum ReceptionFuzzer: Fuzzer {
  static let seeds = [
    #"{"activityType":"org.example.a","title":"A","userInfo":{"a":{"$date":1.5},"b":[1,true,null,"é"]},"#
      + #""webpageURL":"https://example.org/?q#f","referrerURL":"x y","expirationDate":1e300}"#,
    #"{"activityType":"a","userInfo":{"s":{"$set":[{"$date":"nan"},{"$date":"inf"},{"$date":"-1e300"},1,{"$set":[]}]}}}"#,
    #"{"activityType":"a","userInfo":{"$dictionary":[[{"$date":"nan"},1],[{"$double":"nan"},2],[1,3],[{"$double":"1"},4],"#
      + #"[true,5],[[{"$date":"-inf"}],6]]}}"#,
    #"{"activityType":"a","userInfo":{"s":{"$set":[{"$dictionary":[[[1],6]]},{"$dictionary":[[[2],6]]},[1],[[1]]]}}}"#,
    #"{"activityType":"a","userInfo":{"d":{"$data":"AAEC"},"u":{"$uuid":"00112233-4455-6677-8899-aabbccddeeff"},"#
      + #""l":{"$url":"http://[::1"},"m":18446744073709551615,"n":{"$double":"1e300"},"$$x":-9223372036854775808}}"#,
    #"{"identifier":"i","title":"t","keywords":["k"],"attributes":{"contentCreationDate":{"$date":"nan"},"#
      + #""dueDate":{"$date":1e300},"pageCount":{"$double":"inf"},"rating":18446744073709551615},"expirationDate":-1e300}"#,
  ].map { Array($0.utf8) }

  static let words =
    UserInfoFuzzer.words + [
      "nan:7ff8000000000001", "1e300", "-1e300", "9223372036854775808", "attributes", "identifier",
    ]

  static let length = 4096

  private struct Payload: Codable {
    var a: Date?
    var b: [Int8]?
    var c: [String: URL]?
  }

  static func run(_ input: [UInt8]) throws {
    guard let json = try? JSON(parsing: input, depth: Limits.messageDepth) else { return }
    if let members = json.object, let activity = try? ControlActivity(parameters: members) { try check(activity) }
    if let entry = SavedEntry(json: json) { check(CSSearchableItem(entry)) }
    if let value = try? UserInfoValue(json: json) { use(value.foundation) }
  }

  private static func check(_ sent: ControlActivity) throws {
    let activity = NSUserActivity(ActivityCore(sent, source: .random()))
    for (key, value) in activity.userInfo ?? [:] {
      use(key.base)
      use(value)
    }
    use(activity.userInfo ?? [:])
    use(activity.webpageURL as Any)
    use(activity.expirationDate as Any)
    _ = try? activity.typedPayload(Payload.self)
    _ = try activity.core.published()
  }

  private static func check(_ item: CSSearchableItem) {
    use(item.expirationDate as Any)
    for name in item.attributeSet.values.keys {
      if let value = CSCustomAttributeKey(keyName: name).flatMap({ item.attributeSet.value(forCustomKey: $0) }) {
        use(value)
      }
    }
    use(item.attributeSet.dueDate as Any)
    use(item.attributeSet.contentCreationDate as Any)
    use(item.attributeSet.pageCount as Any)
    _ = item.entry.json
  }

  private static func use(_ value: Any) {
    var text = "\(value)\(String(reflecting: value))"
    dump(value, to: &text)
    _ = (value as? AnyHashable)?.hashValue
    _ = PropertyListSerialization.propertyList(value, isValidFor: .binary)
    _ = JSONSerialization.isValidJSONObject(value)
    if let object = value as? NSObject { _ = "\(object.description)\(object.hash)\(object.isEqual(object))" }
    _ = (value as? NSArray, value as? NSSet, value as? NSDictionary)
    if let date = value as? Date { use(date) }
    if let number = value as? NSNumber {
      _ = "\(number.stringValue)\(number as? Int8 as Any)\(number as? Float as Any)\(number.compare(1))"
    }
    if let elements = value as? [Any] { for element in elements { use(element) } }
    if let elements = value as? Set<AnyHashable> { for element in elements { use(element.base) } }
    if let pairs = value as? [AnyHashable: Any] {
      for (key, element) in pairs {
        use(key.base)
        use(element)
      }
    }
  }

  private static func use(_ date: Date) {
    hold(date.timeIntervalSinceReferenceDate.isFinite, "A date that is none")
    _ = "\(date.description)\(date.timeIntervalSince1970)\(date.addingTimeInterval(86_400)) \(date as NSDate)"
    _ = Calendar(identifier: .gregorian).dateComponents([.year, .day, .hour], from: date)
    _ = try? JSONEncoder().encode([date])
    _ = try? PropertyListEncoder().encode([date])
  }
}
