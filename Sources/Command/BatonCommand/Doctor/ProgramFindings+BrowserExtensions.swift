// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding

/// Where browsers get the extension from, and what tells them how to start Baton.
extension ProgramFindings {
  private static let length = 1 << 20
  private static let firefoxID = "handoff@baton.io"
  /// The first version of Firefox that asks xdg-native-messaging-proxy to start programs.
  private static let proxied = 157

  /// The manifests of hosts that this browser reads, those of the user first.
  func hostManifests(_ browser: InstalledBrowser) -> [String] {
    switch browser.product.family {
    case .firefox:
      files([
        "~/.mozilla/native-messaging-hosts/io.baton.*.json", "/usr/lib/mozilla/native-messaging-hosts/io.baton.*.json",
        "/usr/lib64/mozilla/native-messaging-hosts/io.baton.*.json",
      ])
    case .chromium:
      files(
        browser.product.profiles.map { "~/\($0)/NativeMessagingHosts/io.baton.*.json" }
          + [browser.product.configuration, "opt/chrome", "chromium"].map {
            "/etc/\($0)/native-messaging-hosts/io.baton.*.json"
          }
      )
    }
  }

  func object(_ path: String) -> [String: JSON]? {
    guard let file = RegularFile(path, length: Self.length) else { return nil }
    return (try? JSON(parsing: file.bytes, depth: 32))?.object
  }

  /// Where the extension for this browser comes from.
  func source(_ browser: InstalledBrowser) -> Verdict.Browser.Source {
    guard browser.packaging == .native else { return browser.product.family == .firefox ? .firefox : .chrome }
    guard let folder = browser.folder else {
      return browser.product == .firefox || browser.product == .chromium ? .debian : .chrome
    }
    switch browser.product.family {
    case .chromium:
      let isDebian = installed(folder) == "/usr/lib/chromium" && access("\(root)/etc/chromium.d", F_OK) == 0
      return isDebian ? .debian : .chrome
    case .firefox:
      // Mozilla's builds update themselves, or say that a package does. They only load what Mozilla has signed.
      let isMozillas = ["updater", "update-settings.ini", "is-packaged-app"].contains {
        access("\(folder)/\($0)", F_OK) == 0
      }
      return isMozillas || browser.product != .firefox ? .firefox : .debian
    }
  }

  /// Whether the browser has the extension, or gets it at its next start.
  func hasExtension(_ browser: InstalledBrowser) -> Bool {
    switch browser.product.family {
    case .firefox:
      source(browser) == .debian && !files(Self.firefoxFolders).isEmpty || hasFirefoxPolicy(browser)
        || !files(profiles(browser).map { "\($0)/*/extensions/\(Self.firefoxID).xpi" }).isEmpty
    case .chromium:
      source(browser) == .debian && !files(["/usr/share/chromium/extensions/baton/manifest.json"]).isEmpty
        || policy(browser).isInstalled
        || !files(
          profiles(browser).flatMap { profile in chromiumIDs(browser).map { "\(profile)/*/Extensions/\($0)" } }
        ).isEmpty
    }
  }

  private static let firefoxFolders = [
    "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/*baton*/manifest.json"
  ]

  private func profiles(_ browser: InstalledBrowser) -> [String] {
    let folder =
      switch browser.packaging {
      case .native: "~"
      case .flatpak: "~/.var/app/\(browser.app ?? "*")"
      case .snap: "~/snap/\(browser.app ?? "*")/common"
      }
    return browser.product.profiles.map { "\(folder)/\($0)" }
  }

  /// The extension's IDs: letters from a to p, so that no ID is a pattern.
  private func chromiumIDs(_ browser: InstalledBrowser) -> Set<String> {
    let origins = hostManifests(browser).compactMap { object($0)?["allowed_origins"]?.array }.joined()
    return Set(
      origins.compactMap { origin in
        origin.string?.rest(afterBytesOf: "chrome-extension://")?.start(beforeBytesOf: "/").map(String.init)
      }.filter { $0.utf8.count == 32 && $0.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "p")).contains($0) } }
    )
  }

  /// What the policies for a Chromium mean: of each key, the last file with it counts.
  func policy(_ browser: InstalledBrowser) -> (isInstalled: Bool, replacedBy: String?) {
    let ids = chromiumIDs(browser)
    let folder = "\(root)/etc/\(browser.product.configuration)/policies/managed"
    let contents = Folder.names(in: folder, limit: 256).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      .compactMap { name in object("\(folder)/\(name)").map { (path: installed("\(folder)/\(name)"), $0) } }
    func installs(_ key: String, _ value: JSON) -> Bool {
      switch key {
      case "ExtensionSettings":
        value.object?.contains { id, setting in
          ids.contains(id)
            && setting.object?["installation_mode"]?.string.map { $0.ends(withBytesOf: "_installed") } ?? false
        } ?? false
      default:
        value.array?.contains { entry in
          entry.string?.split(atScalar: ";").first.map { ids.contains(String($0)) } ?? false
        } ?? false
      }
    }
    var isInstalled = false
    var replacedBy: String?
    for key in ["ExtensionSettings", "ExtensionInstallForcelist"] {
      let values = contents.compactMap { path, content in content[key].map { (path: path, value: $0) } }
      guard let last = values.last else { continue }
      if installs(key, last.value) {
        isInstalled = true
      } else if values.contains(where: { installs(key, $0.value) }) {
        replacedBy = last.path
      }
    }
    return (isInstalled, isInstalled ? nil : replacedBy)
  }

  /// Firefox reads the system's file, and the one in its own folder only without that.
  private func hasFirefoxPolicy(_ browser: InstalledBrowser) -> Bool {
    let candidates =
      ["\(root)/etc/firefox/policies/policies.json"]
      + [browser.folder.map { "\($0)/distribution/policies.json" }].compactMap(\.self)
    guard browser.packaging == .native, let path = candidates.first(where: { access($0, F_OK) == 0 }),
      let setting = object(path)?["policies"]?.object?["ExtensionSettings"]?.object?[Self.firefoxID]?.object,
      setting["installation_mode"]?.string.map({ $0.ends(withBytesOf: "_installed") }) ?? false
    else { return false }
    guard let file = setting["install_url"]?.string?.rest(afterBytesOf: "file://") else { return true }
    return access(root + file, R_OK) == 0
  }

  /// Why the browser's sandbox keeps it from starting Baton. Nil if nothing does.
  func sandbox(_ browser: InstalledBrowser) -> Verdict.Browser.Sandbox? {
    switch (browser.packaging, browser.product) {
    case (.native, _): return nil
    case (.flatpak, .firefox):
      if let folder = browser.folder, let version = version("\(folder)/application.ini"), version < Self.proxied {
        return .tooOld
      }
      return files(["/usr/share/dbus-1/services/org.freedesktop.NativeMessagingProxy.service"]).isEmpty ? .noProxy : nil
    case (_, _): return .closed
    }
  }

  /// The first number of the version.
  private func version(_ path: String) -> Int? {
    text(of: path).split(atScalar: "\n").lazy.compactMap { $0.rest(afterBytesOf: "Version=") }.first
      .flatMap { Int($0.scalarPrefix { ("0"..."9").contains($0) }) }
  }
}
