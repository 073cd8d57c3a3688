// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// The user's choice among several apps: the `mimeapps.list` files of the user, of the desktop and of the machine. They
/// are read again when they have changed.
@Loop
final class ChosenApplications {
  private let paths: [String]
  private let log: Log
  private var versions: [SettingsFile.Version?] = []
  private var known = ApplicationChoices()

  init(_ environment: ProcessEnvironment, log: Log) {
    paths = Self.paths(environment)
    self.log = log
  }

  /// The paths in order of precedence.
  nonisolated static func paths(_ environment: ProcessEnvironment) -> [String] {
    let home = environment.directory("XDG_CONFIG_HOME") ?? environment.directory("HOME").map { "\($0)/.config" }
    let others = (environment["XDG_CONFIG_DIRS"] ?? "/etc/xdg").split(atScalar: ":").map(String.init)
    let folders = ([home].compactMap(\.self) + others).filter { $0.starts(withBytesOf: "/") }
    let desktops = (environment["XDG_CURRENT_DESKTOP"] ?? "").lowercased().split(atScalar: ":")
    // The name becomes part of a path.
    let names = desktops.filter { CatalogBuilder.isID(String($0)) }.map { "\($0)-mimeapps.list" } + ["mimeapps.list"]
    return (folders + InstalledApplications.directories(environment)).flatMap { folder in
      names.map { "\(folder)/\($0)" }
    }
  }

  var choices: ApplicationChoices {
    let versions = paths.map(SettingsFile.version)
    guard versions != self.versions else { return known }
    self.versions = versions
    known = ApplicationChoices()
    for path in paths {
      do throws(SystemError) {
        if let bytes = try SettingsFile.contents(of: path, limit: Limits.desktopEntryLength) { known.add(bytes) }
      } catch {
        log.warning("Can't read a file with the user's default apps: \(error)", ["file": path])
      }
    }
    return known
  }
}
