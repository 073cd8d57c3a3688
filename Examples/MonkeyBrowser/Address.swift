import Foundation

/// What the browser takes for the address of a page.
enum Address {
  /// In bytes. The address travels in `userInfo`, which holds 3,072 bytes in all.
  static let longest = 1024

  /// The made-up page on a topic.
  static func url(of kind: TabKind, _ topic: String) -> URL {
    var components = URLComponents()
    components.scheme = "https"
    components.host = "\(kind.rawValue).example.org"
    components.path = "/" + topic.replacingOccurrences(of: " ", with: "_")
    // It has a host and an absolute path, so there is one.
    return components.url ?? URL(fileURLWithPath: "/")
  }

  /// - Returns: Nil for what is no https URL with a host, or too long. What a person types and what another machine
  ///   sends are checked here alike.
  static func checked(_ text: String) -> URL? {
    guard let url = URL(string: text), url.absoluteString.utf8.count <= longest else { return nil }
    guard url.scheme?.lowercased() == "https", let host = url.host, !host.isEmpty else { return nil }
    return url
  }

  /// For people: the last part of the path, at most 80 characters of it.
  static func title(of url: URL) -> String {
    let name = url.lastPathComponent.replacingOccurrences(of: "_", with: " ")
    return String((name.isEmpty || name == "/" ? url.host ?? "Page" : name).prefix(80))
  }
}
