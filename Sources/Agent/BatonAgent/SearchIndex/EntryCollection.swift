// SPDX-License-Identifier: Apache-2.0

/// The activities of one app on one machine, or the items of one of its indexes.
struct EntryCollection: Hashable {
  /// Empty for this machine.
  var device = ""
  var team = ""
  let application: String
  /// Empty for the app's default index, and for activities.
  var name = ""
  let isActivities: Bool

  func find(in database: Database) throws(IndexError) -> Int? {
    try database.int(
      """
      SELECT id FROM collection
      WHERE device = ? AND team = ? AND application = ? AND name = ? AND isActivities = ?
      """,
      .text(device),
      .text(team),
      .text(application),
      .text(name),
      Value(isActivities ? 1 : 0)
    )
  }

  func findOrMake(in database: Database) throws(IndexError) -> Int {
    if let id = try find(in: database) { return id }
    try database.run(
      "INSERT INTO collection (device, team, application, name, isActivities) VALUES (?, ?, ?, ?, ?)",
      .text(device),
      .text(team),
      .text(application),
      .text(name),
      Value(isActivities ? 1 : 0)
    )
    return database.lastRow
  }
}
