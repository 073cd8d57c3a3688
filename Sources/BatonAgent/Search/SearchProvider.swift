import Activity
import EventLoop
import SearchInterface
import Systemd

/// What GNOME Shell and KRunner ask over D-Bus, translated. Both use one object.
@Loop
final class SearchProvider {
  /// What the provider asks the index.
  struct Source {
    /// Finds results; see `SearchEntries`.
    let search: @Loop (_ words: String, _ completion: @escaping @Loop ([ControlResult]) -> Void) -> Void
    let open: @Loop (_ result: String) -> Void
    /// The name of a result's icon.
    let icon: @Loop (ControlResult) -> String
  }

  static let path = "/io/baton/Search"
  static let name = "io.baton.Search"
  private static let gnome = "org.gnome.Shell.SearchProvider2"
  private static let krunner = "org.kde.krunner1"
  /// The number of results that are remembered for `GetResultMetas`: those of some searches.
  private static let rememberedResults = 200

  private let source: Source
  /// The results that were found last, the oldest first.
  private var known: [ControlResult] = []

  init(_ source: Source) { self.source = source }

  func answer(_ request: BusRequest) {
    switch (request.call.interface, request.call.member) {
    case (Self.gnome, "GetInitialResultSet"): findIDs(request)
    case (Self.gnome, "GetSubsearchResultSet"):
      // The results of the shorter words do not matter.
      request.call.skip("as")
      findIDs(request)
    case (Self.gnome, "GetResultMetas"):
      let ids = request.call.strings(limit: Limits.busListLength)
      // GNOME Shell expects as many as it asked for.
      request.reply(.array(contents: "a{sv}", ids.map(description)))
    case (Self.gnome, "ActivateResult"):
      if let id = request.call.string() { source.open(id) }
      request.reply()
    case (Self.gnome, "LaunchSearch"): request.reply()
    case (Self.krunner, "Match"): match(request)
    case (Self.krunner, "Actions"): request.reply(.array(contents: "(sss)", []))
    case (Self.krunner, "Run"):
      if let id = request.call.string() { source.open(id) }
      request.reply()
    case (Self.krunner, "Config"): request.reply(.properties([:]))
    case (Self.krunner, "Teardown"): request.reply()
    case ("org.freedesktop.DBus.Introspectable", "Introspect"): request.reply(.string(Self.introspection))
    default: request.refuse()
    }
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
    guard let result = known.last(where: { $0.id == id }) else {
      return .properties(["id": .string(id), "name": .string("")])
    }
    return .properties([
      "id": .string(id), "name": .string(result.title), "description": .string(Self.subtitle(of: result)),
      "gicon": .string(source.icon(result)),
    ])
  }

  private func match(_ request: BusRequest) {
    // Nothing is found by a query that is too long.
    let words = request.call.string(limit: Limits.searchWordsLength) ?? ""
    guard !words.isEmpty else { return request.reply(.array(contents: Self.matchSignature, [])) }
    find(words) { [source] results in
      let matches = results.map { result in
        BusArgument.structure([
          .string(result.id), .string(result.title), .string(source.icon(result)),
          // Plasma::QueryMatch::PossibleMatch. The relevance decides about the order.
          .integer(50), .double(result.relevance),
          .properties(["subtext": .string(Self.subtitle(of: result)), "category": .string("Handoff")]),
        ])
      }
      request.reply(.array(contents: Self.matchSignature, matches))
    }
  }

  private static let matchSignature = "(sssida{sv})"

  /// What is said below the title: where it is, and what was found.
  static func subtitle(of result: ControlResult) -> String {
    let place = result.device.map { "on \($0)" }
    return [result.applicationName, place, result.snippet ?? result.webpageURL].compactMap(\.self).joined(
      separator: " · "
    )
  }

  private static let introspection = """
    <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
     "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
    <node>
      <interface name="org.gnome.Shell.SearchProvider2">
        <method name="GetInitialResultSet"><arg type="as" direction="in"/><arg type="as" direction="out"/></method>
        <method name="GetSubsearchResultSet">
          <arg type="as" direction="in"/><arg type="as" direction="in"/><arg type="as" direction="out"/>
        </method>
        <method name="GetResultMetas"><arg type="as" direction="in"/><arg type="aa{sv}" direction="out"/></method>
        <method name="ActivateResult">
          <arg type="s" direction="in"/><arg type="as" direction="in"/><arg type="u" direction="in"/>
        </method>
        <method name="LaunchSearch"><arg type="as" direction="in"/><arg type="u" direction="in"/></method>
      </interface>
      <interface name="org.kde.krunner1">
        <method name="Actions"><arg type="a(sss)" direction="out"/></method>
        <method name="Run"><arg type="s" direction="in"/><arg type="s" direction="in"/></method>
        <method name="Match"><arg type="s" direction="in"/><arg type="a(sssida{sv})" direction="out"/></method>
        <method name="Config"><arg type="a{sv}" direction="out"/></method>
        <method name="Teardown"/>
      </interface>
    </node>
    """
}
