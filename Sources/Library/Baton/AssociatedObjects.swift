// SPDX-License-Identifier: Apache-2.0

/// An object that keeps the state of an activity up to date: a responder or a document.
@preconcurrency @MainActor
protocol UserActivityUpdating: AnyObject {
  func updateUserActivityState(_ activity: NSUserActivity)
}

/// The responders and documents of one activity, in the order in which they were added. They are not retained.
struct AssociatedObjects {
  private struct Entry {
    let id: ObjectIdentifier
    weak var object: (any UserActivityUpdating)?
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  var objects: [any UserActivityUpdating] { entries.compactMap(\.object) }

  mutating func add(_ object: any UserActivityUpdating) {
    guard !entries.contains(where: { $0.id == ObjectIdentifier(object) }) else { return }
    entries.append(Entry(id: ObjectIdentifier(object), object: object))
  }

  /// Removes an object.
  ///
  /// - Returns: Whether it was the last one.
  mutating func remove(_ id: ObjectIdentifier) -> Bool {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return false }
    entries.remove(at: index)
    return entries.isEmpty
  }
}
