// SPDX-License-Identifier: Apache-2.0

/// One key whose value differs between two configurations.
package struct ConfigurationChange: Equatable, Sendable {
  /// `Section.Key`, or the section of the shared folders.
  package let key: String
  /// Whether a running daemon applies it. Otherwise, the next start does.
  package let isApplied: Bool

  /// - Parameter canTurnDiscoveryOn: Whether the running daemon can start discovery.
  static func all(
    from old: Configuration,
    to new: Configuration,
    canTurnDiscoveryOn: Bool
  ) -> [ConfigurationChange] {
    var changes: [ConfigurationChange] = []
    for key in ConfigurationKey.allCases where key.text(in: old) != key.text(in: new) {
      let isApplied =
        switch key {
        // Peers remember where they reached this machine, and streams wait for it there.
        case .port: false
        case .discovery: canTurnDiscoveryOn
        case .name, .interfaces, .excludeInterfaces, .source, .rendezvous, .relays, .withholdWhenLocked, .streamMemory,
          .logLevel:
          true
        }
      changes.append(ConfigurationChange(key: key.rawValue, isApplied: isApplied))
    }
    if old.sharedFolders != new.sharedFolders {
      changes.append(ConfigurationChange(key: ConfigurationKey.folderSection, isApplied: true))
    }
    return changes
  }
}
