// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// One line of the log of what a machine shares.
package struct SharedLine: Equatable, Sendable {
  package enum Change: Equatable, Sendable {
    /// The entry of this app is there.
    case put(application: String, SavedEntry)
    /// The entry is gone.
    case removed
    /// The user has deleted an entry of another device here, up to this number there.
    case forget(device: String, generation: String, upTo: Int)
  }

  /// The number of the change.
  package let number: Int
  /// Which entry: a number of the machine that it comes from. It says nothing about what is in the entry.
  package let id: Int
  package let change: Change

  package init(number: Int, id: Int, change: Change) {
    self.number = number
    self.id = id
    self.change = change
  }
}

extension SharedLine: JSONConvertible {
  /// Nil if it is no line, or a part of it is too long or not allowed. Only what may be shared is kept.
  package init?(json: JSON) {
    guard let members = json.object, let number = members["number"]?.count, number > 0, let id = members["id"]?.count,
      id > 0
    else { return nil }
    switch members["kind"]?.string {
    case "put":
      guard let application = members["application"]?.string, !application.isEmpty,
        application.utf8.count <= Limits.applicationNameLength, let text = members["entry"]?.string,
        let json = try? JSON(parsing: Array(text.utf8), depth: Limits.varlinkDepth),
        let entry = SavedEntry(json: json).flatMap({ try? $0.validated() }), let shared = entry.shared
      else { return nil }
      self.init(number: number, id: id, change: .put(application: application, shared))
    case "removed": self.init(number: number, id: id, change: .removed)
    case "forget":
      guard let device = members["device"]?.name, let generation = members["generation"]?.name,
        let upTo = members["upTo"]?.count
      else { return nil }
      self.init(number: number, id: id, change: .forget(device: device, generation: generation, upTo: upTo))
    default: return nil
    }
  }

  package var json: JSON {
    var members: [String: JSON] = ["number": number.json, "id": id.json]
    switch change {
    case .put(let application, let entry):
      members["kind"] = "put"
      members["application"] = .string(application)
      // As text, because a message has fewer levels than an entry may have.
      members["entry"] = .string(String(decoding: entry.json.bytes, as: UTF8.self))
    case .removed: members["kind"] = "removed"
    case .forget(let device, let generation, let upTo):
      members["kind"] = "forget"
      members["device"] = .string(device)
      members["generation"] = .string(generation)
      members["upTo"] = upTo.json
    }
    return .object(members)
  }
}

extension JSON {
  /// A number that a log can have: every program can count on from it.
  var count: Int? {
    guard let number = uint64, number <= 1 << 53 else { return nil }
    return Int(number)
  }

  /// The name of a device or a generation.
  var name: String? {
    guard let text = string, !text.isEmpty, text.utf8.count <= 128 else { return nil }
    return text
  }
}

extension SavedEntry {
  /// The maximum length of a description that is shared, in bytes.
  private static let sharedDescriptionLength = 512

  /// The part of the entry that other machines of the team may see. Nil if it is not shared.
  package var shared: SavedEntry? {
    guard isEligibleForPublicIndexing, var activity, !activity.isForThisMachine else { return nil }
    // Another machine would ask itself for it.
    if activity.hasPageOfThisMachineOnly { activity.webpageURL = nil }
    activity.webpageURL = activity.webpageURL.flatMap { WebPage($0)?.urlWithoutUser }
    activity.referrerURL = activity.referrerURL.flatMap { WebPage($0)?.urlWithoutUser }
    guard activity.webpageURL != nil || activity.userInfo != .empty else { return nil }
    var entry = SavedEntry(identifier: identifier)
    entry.title = title
    entry.contentDescription = contentDescription.map { String($0.utf8Prefix(Self.sharedDescriptionLength)) }
    entry.keywords = keywords
    entry.activity = activity
    entry.expirationDate = expirationDate
    entry.isEligibleForPublicIndexing = true
    return entry
  }
}
