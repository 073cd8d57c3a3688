// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// The state of a web page: where the person is in it, what they have typed, and the other tabs of the window.
///
/// It comes from pages and from other machines. Parts that are not allowed are left out, and listed in ``malformed``.
package struct PageState: Equatable, Sendable {
  /// A part of the state's JSON, named as people find it there.
  package enum Part: String, Sendable {
    case place, anchor, form, tabs, ports
    case all = "state"
  }

  package var place: PagePlace?
  package var form: [FormField]
  /// All tabs of a window, if a window was handed over.
  package var tabs: [BrowserPage]
  /// The ports of the same machine from which a local page has loaded something.
  package var ports: [UInt16]
  /// Each part of which something was left out when the JSON was read.
  package private(set) var malformed: [Part] = []

  package init(place: PagePlace? = nil, form: [FormField] = [], tabs: [BrowserPage] = [], ports: [UInt16] = []) {
    (self.place, self.form, self.tabs, self.ports) = (place, form, tabs, ports)
  }

  package init(json: JSON) {
    var malformed: [Part] = []
    func read<Value>(_ part: Part, limit: Int, _ value: (JSON) -> Value?) -> [Value] {
      guard let member = members[part.rawValue], !member.isNull else { return [] }
      let all = member.array ?? []
      let values = all.prefix(limit).compactMap(value)
      if member.array == nil || values.count < all.count { malformed.append(part) }
      return values
    }
    if json.object == nil, !json.isNull { malformed.append(.all) }
    let members = json.object ?? [:]
    let given = members["place"].flatMap { PagePlace(json: $0) }
    place = given?.checked
    if place == nil, members["place"]?.isNull == false { malformed.append(.place) }
    if place != nil, place?.anchor == nil, given?.anchor != nil { malformed.append(.anchor) }
    form = read(.form, limit: BrowserLimits.fields) { FormField(json: $0)?.checked }
    tabs = read(.tabs, limit: BrowserLimits.tabs) { BrowserPage(json: $0) }
    ports = read(.ports, limit: LocalPageLimits.ports) { $0.int64.flatMap { UInt16(exactly: $0) } }
    self.malformed = malformed
  }

  package var isEmpty: Bool { place == nil && form.isEmpty && tabs.isEmpty && ports.isEmpty }

  package var json: JSON {
    var members: [String: JSON] = [:]
    members["place"] = place?.json
    if !form.isEmpty { members["form"] = .array(form.map(\.json)) }
    if !tabs.isEmpty { members["tabs"] = .array(tabs.map(\.json)) }
    if !ports.isEmpty { members["ports"] = .array(ports.map { .integer(Int64($0)) }) }
    return .object(members)
  }

  /// The text of the state, at most `BrowserLimits.stateLength` bytes. Fields that do not fit are left out, the longest
  /// first.
  package var bytes: [UInt8] {
    var state = self
    while true {
      let bytes = state.json.bytes
      guard bytes.count > BrowserLimits.stateLength else { return bytes }
      guard let longest = state.form.indices.max(by: { state.form[$0].length < state.form[$1].length }) else {
        return JSON.object([:]).bytes
      }
      state.form.remove(at: longest)
    }
  }
}

/// The place in a page, so that it is found in a window of another size. Fractions are in ten-thousandths, because
/// whole numbers look the same in every JSON.
package struct PagePlace: Structure {
  /// How far the page is scrolled.
  package let fraction: Int
  /// The element at the top of the window.
  package let anchor: PageAnchor?

  package init(fraction: Int, anchor: PageAnchor? = nil) { (self.fraction, self.anchor) = (fraction, anchor) }

  fileprivate var checked: PagePlace? {
    guard (0...10_000).contains(fraction) else { return nil }
    return PagePlace(fraction: fraction, anchor: anchor.flatMap { $0.isAllowed ? $0 : nil })
  }
}

/// An element of a page. What is given of it is tried in the order of the members.
package struct PageAnchor: Structure {
  /// The element's own ID, or that of the nearest element around it, from which the path leads to it.
  package let id: String?
  /// Numbers of children. -1 leads into the element's shadow tree.
  package let path: [Int]?
  /// The element's tag in small letters, and the beginning of its text. Text and ID are there only if the person has
  /// agreed for the site, because pages make both of what people type.
  package let tag: String
  package let text: String?
  /// How much of the element is above the window. Negative if the element begins below the window's top.
  package let fraction: Int

  package init(id: String? = nil, path: [Int]? = nil, tag: String, text: String? = nil, fraction: Int) {
    (self.id, self.path, self.tag, self.text, self.fraction) = (id, path, tag, text, fraction)
  }

  fileprivate var isAllowed: Bool {
    isName(id) && isName(text) && !tag.isEmpty && tag.utf8.count <= BrowserLimits.nameLength
      && (path?.count ?? 0) <= BrowserLimits.pathLength
      && path?.allSatisfy { (-1...BrowserLimits.siblings).contains($0) } ?? true
      && (-1_000_000...1_000_000).contains(fraction)
  }
}

/// Text that was typed into a field of a form.
package struct FormField: Structure {
  /// The fields that people write ordinary text into. Passwords are in none of them.
  package enum Kind: String, Codable, Sendable, CaseIterable {
    case text, search, email, url, tel, textarea, number, date, time, month, week
    case localDateAndTime = "datetime-local"
    /// An element that the page lets people edit (`contenteditable`).
    case editable
  }

  package let kind: Kind
  package let id: String?
  package let name: String?
  /// The number of the field among those of its kind with this name.
  package let index: Int
  package let text: String

  package init(kind: Kind, id: String? = nil, name: String? = nil, index: Int = 0, text: String) {
    (self.kind, self.id, self.name, self.index, self.text) = (kind, id, name, index, text)
  }

  fileprivate var length: Int { text.utf8.count }

  fileprivate var checked: FormField? {
    isName(id) && isName(name) && (0...BrowserLimits.siblings).contains(index) ? self : nil
  }
}

private func isName(_ text: String?) -> Bool { (text?.utf8.count ?? 0) <= BrowserLimits.nameLength }
