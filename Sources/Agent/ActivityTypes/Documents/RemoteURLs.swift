// SPDX-License-Identifier: Apache-2.0

import Activity

/// The repositories that a clone fetches from, as git's configuration says.
package enum RemoteURLs {
  /// The settings that ``names(configuration:)`` needs, for `git config --null --get-regexp`.
  package static let pattern = #"^(remote\..*\.url|url\..*\.insteadof)$"#

  /// Returns the names of the repositories, `origin` first. A URL that `insteadOf` replaces counts, and so does what
  /// replaces it.
  ///
  /// - Parameters:
  ///   - configuration: Settings, each as the name, a line end, the value, and NUL.
  ///   - destination: Returns where ssh connects to when it is given this name of a host; nil if it is not known.
  package static func names(
    configuration: [UInt8],
    destination: (String) -> SSHDestination? = { _ in nil }
  ) -> [RepositoryName] {
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
      for url in [url, replaced(url, replacements)] {
        for name in RepositoryName.all(url: url, destination: destination) where !names.contains(name) {
          names.append(name)
        }
      }
    }
    return Array(names.prefix(DocumentReference.mostRepositories))
  }

  private static func replaced(_ url: String, _ replacements: [(prefix: String, base: String)]) -> String {
    // As git does, by bytes.
    let fitting = replacements.compactMap { one in url.rest(afterBytesOf: one.prefix).map { (base: one.base, rest: $0) }
    }
    return fitting.min { $0.rest.utf8.count < $1.rest.utf8.count }.map { "\($0.base)\($0.rest)" } ?? url
  }

  private static func middle(of key: String, _ prefix: String, _ suffix: String) -> String? {
    guard let name = key.rest(afterBytesOf: prefix)?.start(beforeBytesOf: suffix), !name.isEmpty else { return nil }
    return String(name)
  }
}
