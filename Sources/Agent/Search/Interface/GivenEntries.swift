// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The entries of a call: those that can be saved, and what cannot.
package struct GivenEntries: Equatable, Sendable {
  package var entries: [SavedEntry] = []
  package var omissions: [EntryOmission] = []
  /// Why the first entry that cannot be saved is too long. Nil if it is something else.
  package var limit: EntryLimit?

  package init(_ entries: [SavedEntry] = []) { self.entries = entries }

  /// How many entries there were.
  package var count: Int { entries.count + omissions.count { !$0.isSaved } }
}

extension GivenEntries: MemberCoding {
  package static func decode(_ json: JSON?) -> GivenEntries? {
    guard let elements = json?.array else { return nil }
    var given = GivenEntries()
    for (place, element) in elements.enumerated() { given.add(element, at: place) }
    return given
  }

  package static func encode(_ value: GivenEntries) -> JSON? { .array(value.entries.map(\.json)) }

  private mutating func add(_ json: JSON, at place: Int) {
    var omitted: [String] = []
    do {
      var members = json.object ?? [:]
      if let activity = members["activity"].flatMap({ GivenActivity(json: $0) }) {
        members["activity"] = activity.record.json
        omitted = activity.omitted
      }
      let entry = try SavedEntry(members: members).repaired()
      entries.append(try entry.validated())
    } catch {
      if omissions.allSatisfy(\.isSaved) { limit = error as? EntryLimit }
      let member = (error as? EntryLimit)?.parameter ?? (error as? InvalidParameter)?.parameter ?? ""
      omissions.append(EntryOmission(entry: place, member: member, isSaved: false))
      return
    }
    omissions += omitted.map { EntryOmission(entry: place, member: "activity.\($0)", isSaved: true) }
  }
}
