// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Search

extension Database {
  /// Returns an entry as a result. Nil if it is not there any more.
  ///
  /// - Parameter words: What to look for in its texts, if anything.
  func found(
    _ id: Int,
    _ generation: String,
    relevance: Double,
    _ words: SearchWords? = nil
  ) throws(IndexError) -> FoundEntry? {
    try first(
      """
      SELECT application, device, team, used, title, identifier, json,
        (SELECT name FROM position WHERE device = collection.device AND team = collection.team),
        (SELECT generation || ' ' || remote FROM foreignEntry JOIN position USING (device, team)
          WHERE foreignEntry.id = entry.id)
      FROM entry JOIN content ON content.id = entry.id JOIN collection ON collection.id = entry.collection
      WHERE entry.id = ?
      """,
      Value(id)
    ) { row throws(IndexError) in
      // Decoding a whole entry would take several times as long.
      guard let entry = (try? JSON(parsing: row.bytes(6), depth: Limits.varlinkDepth))?.object else {
        throw .damaged("entry \(id) can't be read")
      }
      let activity = entry["activity"]?.object
      let page = activity?["webpageURL"]?.string
      var found = FoundEntry(
        reference: EntryReference(generation: generation, id: id).description,
        application: row.text(0),
        activityType: activity?["activityType"]?.string,
        title: row.optionalText(4) ?? page ?? row.text(5),
        webpageURL: page,
        device: row.text(1).ifNotEmpty,
        deviceName: row.optionalText(7)?.ifNotEmpty,
        team: row.text(2).ifNotEmpty,
        lastUsed: row.double(3) > 0 ? row.double(3) : nil,
        relevance: relevance
      )
      found.origin = row.optionalText(8)
      guard let words else { return found }
      found.titleMatches = words.matches(in: found.title)
      let keywords = entry["keywords"]?.array?.compactMap(\.string).joined(separator: ", ")
      let texts: [String?] = [entry["contentDescription"]?.string, keywords, entry["textContent"]?.string]
      for text in texts.compactMap(\.self) where found.snippet == nil { found.snippet = Snippet(of: text, for: words) }
      return found
    }
  }
}
