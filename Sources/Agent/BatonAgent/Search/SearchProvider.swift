// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Localization
import Search
import Systemd

/// What GNOME Shell and KRunner ask over D-Bus, translated. Both use one object.
@Loop
final class SearchProvider {
  /// The maximum length of a list of names that is read from the bus, in bytes: those of all results of a search.
  private static let busListLength = 16 * 1024

  /// What the provider asks the index.
  struct Source {
    /// Finds results; see `SearchEntries`.
    let search: @Loop (_ words: String, _ completion: @escaping @Loop ([ControlResult]) -> Void) -> Void
    /// Opens a result if it is still what it was when it was found.
    let open: @Loop (_ result: ControlResult, _ activationToken: String?) -> Void
    /// The name of a result's icon.
    let icon: @Loop (ControlResult) -> String
  }

  static let path = "/io/baton/Search"
  nonisolated static let name = "io.baton.Search"
  /// The number of results that are remembered for `GetResultMetas`: those of some searches.
  private static let rememberedResults = 200

  private let source: Source
  /// The results that were found last, the oldest first.
  private var known: [ControlResult] = []
  /// What GNOME Shell shows of each result, the oldest first. It asks once for each, and goes on showing that while
  /// somebody types, whatever becomes of the result.
  private var shown: [ControlResult] = []
  /// What KRunner got from the compositor for the next `Run`.
  private var activationToken: String?

  init(_ source: Source) { self.source = source }

  func answer(_ request: BusRequest) {
    let call = request.call
    guard let method = SearchProviderMethod(interface: call.interface, member: call.member) else {
      return request.refuse()
    }
    guard call.has(signature: method.signature) else { return request.refuseArguments() }
    switch method {
    case .getInitialResultSet: findIDs(request)
    case .getSubsearchResultSet:
      // The results of the shorter words do not matter.
      call.skip("as")
      findIDs(request)
    case .getResultMetas:
      let ids = call.strings(limit: Self.busListLength)
      show(ids)
      // GNOME Shell shows nothing unless it gets as many as it asked for.
      request.reply(.array(contents: "a{sv}", ids.map(description)))
    case .activateResult: activate(request)
    case .match: match(request)
    case .setActivationToken:
      activationToken = Self.checked(call.string())
      request.reply()
    case .run:
      if let id = call.string() { open(id, of: known, activationToken) }
      activationToken = nil
      request.reply()
    case .actions: request.reply(.array(contents: "(sss)", []))
    case .config: request.reply(.properties([:]))
    case .launchSearch, .teardown: request.reply()
    case .introspect: request.reply(.string(SearchProviderMethod.introspection))
    }
  }

  private func activate(_ request: BusRequest) {
    let id = request.call.string()
    request.call.skip("as")
    let time = request.call.number() ?? 0
    // GTK takes this for the time of a click, with which a window may take the focus. Other toolkits ignore it.
    if let id { open(id, of: shown, time == 0 ? nil : "_TIME\(time)") }
    request.reply()
  }

  /// What was not shown cannot have been clicked.
  private func open(_ id: String, of results: [ControlResult], _ token: String?) {
    if let result = results.last(where: { $0.id == id }) { source.open(result, token) }
  }

  private func show(_ ids: [String]) {
    shown.removeAll { ids.contains($0.id) }
    shown += ids.compactMap { id in known.last { $0.id == id } }
    shown.removeFirst(max(0, shown.count - Self.rememberedResults))
  }

  private static func checked(_ token: String?) -> String? {
    token.flatMap { ActivationToken.isValid($0) ? $0 : nil }
  }

  private func find(_ words: String, _ completion: @escaping @Loop ([ControlResult]) -> Void) {
    source.search(words) { [weak self] results in
      if let self {
        let ids = Set(results.map(\.id))
        self.known.removeAll { ids.contains($0.id) }
        self.known += results
        self.known.removeFirst(max(0, self.known.count - Self.rememberedResults))
      }
      completion(results)
    }
  }

  private func findIDs(_ request: BusRequest) {
    let words = request.call.strings(limit: Limits.searchWordsLength).joined(separator: " ")
    find(words) { results in
      request.reply(.array(contents: "s", results.map { .string($0.id) }))
    }
  }

  private func description(of id: String) -> BusArgument {
    let result = known.last { $0.id == id }
    return .properties([
      "id": .string(id), "name": .string(result.flatMap(Self.title) ?? localized("Untitled")),
      "description": .string(result.map(Self.subtitle) ?? ""),
      "gicon": .string(result.map(source.icon) ?? "computer"),
    ])
  }

  private func match(_ request: BusRequest) {
    // Nothing is found by a query that is too long.
    let words = request.call.string(limit: Limits.searchWordsLength) ?? ""
    guard VisibleText.isVisible(words) else { return request.reply(.array(contents: Self.matchSignature, [])) }
    find(words) { [source] results in
      let matches = results.map { result in
        BusArgument.structure([
          .string(result.id), .string(Self.title(of: result) ?? localized("Untitled")), .string(source.icon(result)),
          // Plasma::QueryMatch::PossibleMatch. The relevance decides about the order.
          .integer(30), .double(result.relevance),
          .properties(["subtext": .string(Self.subtitle(of: result)), "category": .string("Handoff")]),
        ])
      }
      request.reply(.array(contents: Self.matchSignature, matches))
    }
  }

  private static let matchSignature = "(sssida{sv})"

  /// The first of its names in which there is something to see. GNOME Shell shows no result at all if one has no name.
  static func title(of result: ControlResult) -> String? {
    for name in [result.title, result.webpageURL, result.applicationName, result.activityType] {
      if let line = name.flatMap(VisibleText.line) { return line }
    }
    return nil
  }

  /// What is said below the title: where it is, and what was found.
  static func subtitle(of result: ControlResult) -> String {
    let place = result.device.flatMap(VisibleText.line).map { localized("on \($0)") }
    let found = (result.snippet ?? result.webpageURL).flatMap(VisibleText.line)
    return [result.applicationName.flatMap(VisibleText.line), place, found].compactMap(\.self).joined(separator: " · ")
  }
}
