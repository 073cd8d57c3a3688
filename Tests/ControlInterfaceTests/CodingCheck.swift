// SPDX-License-Identifier: Apache-2.0

import JSONCoding
import Testing
import Varlink

/// Checks that a value has exactly this JSON form, and that decoding the form returns an equal value.
func checkCoding<T: Structure>(_ value: T, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
  #expect(value.json.text == text, sourceLocation: sourceLocation)
  do {
    let members = try #require(try JSON(parsing: text.utf8, depth: 16).object)
    #expect(try T(parameters: members) == value, sourceLocation: sourceLocation)
  } catch {
    Issue.record(error, sourceLocation: sourceLocation)
  }
}

/// Checks that decoding fails and names this member.
func checkRefusal<T: Structure>(
  _: T.Type,
  _ json: JSON,
  names parameter: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(throws: InvalidParameter(parameter), sourceLocation: sourceLocation) {
    _ = try T(replyParameters: json.object ?? [:])
  }
}

/// Checks that each required member must be present and of its type, and each optional one of its type if present.
func checkMembers<T: Structure>(
  of value: T,
  optional: Set<String> = [],
  sourceLocation: SourceLocation = #_sourceLocation
) {
  for name in value.members.keys {
    var missing = value.members
    missing[name] = nil
    if optional.contains(name) {
      #expect(T(json: .object(missing)) != nil, "\(name) may be missing", sourceLocation: sourceLocation)
    } else {
      checkRefusal(T.self, .object(missing), names: name, sourceLocation: sourceLocation)
      missing[name] = .null
      checkRefusal(T.self, .object(missing), names: name, sourceLocation: sourceLocation)
    }
    var wrong = value.members
    wrong[name] = [["wrong"]]
    checkRefusal(T.self, .object(wrong), names: name, sourceLocation: sourceLocation)
  }
}
