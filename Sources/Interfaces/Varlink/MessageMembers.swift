// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// Takes the top-level members of a message one by one, as strictly as sd-varlink does.
struct MessageMembers {
  private var rest: [String: JSON]

  init(_ message: some Collection<UInt8>, depth: Int) throws(MalformedMessage) {
    let value: JSON
    do { value = try JSON(parsing: message, depth: depth) } catch { throw .notJSON }
    guard let members = value.object else { throw .notAnObject }
    rest = members
  }

  /// Returns nil if the member is absent. Null is not a string.
  mutating func string(_ name: String) throws(MalformedMessage) -> String? {
    guard let value = rest.removeValue(forKey: name) else { return nil }
    guard let string = value.string else { throw .member(name) }
    return string
  }

  /// Returns false if the member is absent. Null is not a boolean.
  mutating func flag(_ name: String) throws(MalformedMessage) -> Bool {
    guard let value = rest.removeValue(forKey: name) else { return false }
    guard let flag = value.bool else { throw .member(name) }
    return flag
  }

  /// Returns the parameters. Absent, null and `{}` are equivalent.
  mutating func parameters() throws(MalformedMessage) -> [String: JSON] {
    guard let value = rest.removeValue(forKey: "parameters"), !value.isNull else { return [:] }
    guard let parameters = value.object else { throw .member("parameters") }
    return parameters
  }

  func finish() throws(MalformedMessage) {
    if let name = rest.keys.min() { throw .unknownMember(name) }
  }
}
