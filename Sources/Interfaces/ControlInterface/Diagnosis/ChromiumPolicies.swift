// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What the files in a folder of policies mean for an extension, as Chromium reads them: of each key, the last file
/// with it counts, in the order of the names' bytes.
package struct ChromiumPolicies: Sendable {
  /// What becomes of an extension.
  package enum Decision: Equatable, Sendable {
    /// A policy installs it.
    case installed
    /// No policy forbids it.
    case allowed
    /// The file at this path forbids it.
    case blocked(by: String)
  }

  private let files: [(path: String, policies: [String: JSON])]

  /// - Parameter files: The paths, in any order, with the policies in each.
  package init(_ files: [(path: String, policies: [String: JSON])]) {
    self.files = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// - Parameter id: The extension's ID.
  package func decision(on id: String) -> Decision {
    let settings = last("ExtensionSettings")
    if let decision = Self.decision(settings?.value.object?[id]?.object, settings?.path) { return decision }
    if contains("ExtensionInstallForcelist", id) != nil { return .installed }
    if let path = contains("ExtensionInstallBlocklist", id) { return .blocked(by: path) }
    if contains("ExtensionInstallAllowlist", id) != nil { return .allowed }
    if let decision = Self.decision(settings?.value.object?["*"]?.object, settings?.path) { return decision }
    return contains("ExtensionInstallBlocklist", "*").map(Decision.blocked) ?? .allowed
  }

  /// The file that keeps a policy which installs an extension from counting. Nil if there is no such policy.
  package func replacement(for id: String) -> String? {
    let hasInstaller = files.contains { file in
      ChromiumPolicies([file]).decision(on: id) == .installed
    }
    return hasInstaller ? last("ExtensionSettings")?.path ?? last("ExtensionInstallForcelist")?.path : nil
  }

  private func last(_ key: String) -> (path: String, value: JSON)? {
    files.lazy.reversed().compactMap { path, policies in policies[key].map { (path, $0) } }.first
  }

  /// The path of the file whose list counts, if that contains the ID. An entry can have an address after a semicolon.
  private func contains(_ key: String, _ id: String) -> String? {
    guard let (path, value) = last(key) else { return nil }
    let ids = value.array?.compactMap { $0.string?.scalarPrefix { $0 != ";" } } ?? []
    return ids.contains { $0.hasBytes(of: id) } ? path : nil
  }

  private static func decision(_ setting: [String: JSON]?, _ path: String?) -> Decision? {
    guard let mode = setting?["installation_mode"]?.string, let path else { return nil }
    switch mode {
    case "force_installed", "normal_installed": return .installed
    case "blocked", "removed": return .blocked(by: path)
    default: return .allowed
    }
  }
}
