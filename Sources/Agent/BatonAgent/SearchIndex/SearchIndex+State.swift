// SPDX-License-Identifier: Apache-2.0

import Activity
import Search

extension SearchIndex {
  /// What an app keeps about its progress with one of its indexes. `isNew`: the index does not know this app's index.
  package func clientState(
    application: String,
    index: String? = nil
  ) throws(IndexError) -> (state: [UInt8]?, isNew: Bool) {
    try recovering { () throws(IndexError) in
      let collection = EntryCollection(application: application, name: index ?? "", isActivities: false)
      guard let id = try collection.find(in: try database) else {
        let known = KnownIndexes(database: try database, generation: generation)
        return (nil, isNew: try !known.contains(application: application, index: index ?? ""))
      }
      let state = try database.first("SELECT clientState FROM collection WHERE id = ?", Value(id)) { row in
        row.isNull(0) ? nil : row.bytes(0)
      }
      return (state ?? nil, false)
    }
  }

  package func setClientState(_ state: [UInt8]?, application: String, index: String? = nil) throws(IndexError) {
    try Self.check(application: application, index: index)
    guard state?.count ?? 0 <= Limits.clientStateLength else {
      throw .limit(EntryLimit(parameter: "clientState", limit: Limits.clientStateLength))
    }
    try change { database throws(IndexError) in
      let collection = EntryCollection(application: application, name: index ?? "", isActivities: false)
      let id = try collection.findOrMake(in: database)
      try database.run("UPDATE collection SET clientState = ? WHERE id = ?", Value(state), Value(id))
    }
  }
}
