// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import JSONCoding
import Localization

/// The userInfo that `--info` and `--info-json` give.
enum InfoOptions {
  /// - Returns: Nil if neither is given.
  static func userInfo(json: String?, strings: [String]) throws(UsageError) -> JSON? {
    let hint = OfferCommand.syntax.hint
    guard json != nil || !strings.isEmpty else { return nil }
    var members: [String: JSON] = [:]
    if let json {
      do {
        guard let object = try JSON(parsing: json.utf8, depth: Limits.userInfoDepth).object else {
          throw UsageError(localized("'--info-json' must be a JSON object."), hint: hint)
        }
        members = object
      } catch let error as JSONError {
        throw UsageError(localized("'--info-json' isn't valid JSON: \(error)."), hint: hint)
      } catch let error as UsageError {
        throw error
      } catch {
        throw UsageError(localized("'--info-json' isn't valid: \(error)"), hint: hint)
      }
    }
    for text in strings {
      guard let equals = text.unicodeScalars.firstIndex(of: "="), equals != text.startIndex else {
        throw UsageError(localized("'--info' must be KEY=VALUE, not '\(text)'."), hint: hint)
      }
      let name = String(text[..<equals])
      // In the encoding, a key that begins with $ gets another $ in front.
      let key = name.starts(withBytesOf: "$") ? "$" + name : name
      guard members.updateValue(.string(String(text.rest(after: equals))), forKey: key) == nil else {
        throw UsageError(localized("The key '\(name)' can be used only once."), hint: hint)
      }
    }
    return .object(members)
  }
}
