/// The repositories that a clone fetches from, as git's configuration says.
package enum RemoteURLs {
  /// The settings that ``names(configuration:)`` needs, for `git config --null --get-regexp`.
  package static let pattern = #"^(remote\..*\.url|url\..*\.insteadof)$"#

  /// Returns the names of the repositories, `origin` first. A URL that `insteadOf` replaces counts, and so does what
  /// replaces it.
  ///
  /// - Parameter configuration: Settings, each as the name, a line end, the value, and NUL.
  package static func names(configuration: [UInt8]) -> [RepositoryName] {
    var remotes: [(name: String, url: String)] = []
    var replacements: [(prefix: String, base: String)] = []
    for setting in configuration.split(separator: 0) {
      let parts = setting.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let key = String(validating: parts[0], as: UTF8.self),
        let value = String(validating: parts[1], as: UTF8.self)
      else { continue }
      if let name = middle(of: key, "remote.", ".url") {
        remotes.append((name, value))
      } else if let base = middle(of: key, "url.", ".insteadof") {
        replacements.append((value, base))
      }
    }
    let sorted = remotes.filter { $0.name == "origin" } + remotes.filter { $0.name != "origin" }
    var names: [RepositoryName] = []
    for url in sorted.map(\.url) {
      for name in [url, replaced(url, replacements)].compactMap(RepositoryName.init(url:)) where !names.contains(name) {
        names.append(name)
      }
    }
    return Array(names.prefix(DocumentReference.mostRepositories))
  }

  private static func replaced(_ url: String, _ replacements: [(prefix: String, base: String)]) -> String {
    let longest = replacements.filter { url.hasPrefix($0.prefix) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }
    return longest.map { $0.base + url.dropFirst($0.prefix.count) } ?? url
  }

  private static func middle(of key: String, _ prefix: String, _ suffix: String) -> String? {
    guard key.hasPrefix(prefix), key.hasSuffix(suffix), key.count > prefix.count + suffix.count else { return nil }
    return String(key.dropFirst(prefix.count).dropLast(suffix.count))
  }
}
