// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc

/// Finds the browsers that Flatpak and Snap have installed.
extension ProgramFindings {
  private static let appsLimit = 1_024

  /// The folders of Flatpak's installations: the system's, the user's, and those that an administrator has added.
  var flatpakFolders: [String] {
    let added = files(["/etc/flatpak/installations.d/*.conf"]).flatMap { text(of: $0).split(atScalar: "\n") }
      .compactMap { $0.rest(afterBytesOf: "Path=").map { root + $0.trimmed } }
    return ["\(root)/var/lib/flatpak"] + added + [home.map { "\($0)/.local/share/flatpak" }].compactMap(\.self)
  }

  var flatpaks: [InstalledBrowser] {
    var found: [String: InstalledBrowser] = [:]
    for folder in flatpakFolders {
      for app in Folder.names(in: "\(folder)/app", limit: Self.appsLimit) {
        guard found[app] == nil, let product = flatpak(app, in: folder) else { continue }
        let own = ["\(folder)/app/\(app)/current/active/files/lib"].flatMap { folder in
          ["firefox", app, product.programs.first ?? app].map { "\(folder)/\($0)" }
        }
        found[app] = InstalledBrowser(
          product: product,
          packaging: .flatpak,
          folder: own.first { access($0, F_OK) == 0 },
          app: app
        )
      }
    }
    for app in running.flatpaks where found[app] == nil {
      guard let product = BrowserProduct.all.first(where: { $0.flatpaks.contains(app) }) else { continue }
      found[app] = InstalledBrowser(product: product, packaging: .flatpak, app: app)
    }
    return Array(found.values)
  }

  private func flatpak(_ app: String, in folder: String) -> BrowserProduct? {
    if let product = BrowserProduct.all.first(where: { $0.flatpaks.contains(app) }) { return product }
    guard browser("\(folder)/exports/share/applications/\(app).desktop") != nil else { return nil }
    let parts = app.split(atScalar: ".").joined(separator: "/")
    let isFirefox = app.lowercased().containsBytes(of: "fox") || app.lowercased().containsBytes(of: "mozilla")
    return .of(isFirefox ? .firefox : .chromium, path: parts)
  }

  var snaps: [InstalledBrowser] {
    let entries = files(["/var/lib/snapd/desktop/applications/*.desktop"]).prefix(Self.appsLimit)
    func name(_ path: String) -> String { path.split(atScalar: "/").last.map(String.init) ?? path }
    let named = entries.filter { browser($0) != nil }.compactMap {
      name($0).split(atScalar: "_").first.map(String.init)
    }
    let programs = files(["/snap/bin/*", "/var/lib/snapd/snap/bin/*"]).map(name)
    let known = Set(BrowserProduct.all.flatMap(\.snaps)).intersection(programs)
    return known.union(named).map { app in
      let product =
        BrowserProduct.all.first { $0.snaps.contains(app) }
        ?? .of(app.lowercased().containsBytes(of: "fox") ? .firefox : .chromium, path: app)
      return InstalledBrowser(product: product, packaging: .snap, app: app)
    }
  }
}
