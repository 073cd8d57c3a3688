// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import EventLoop
import Glibc
import JSONCoding

/// Where browsers get the extension from, and what keeps them from it.
extension ProgramFindings {
  private static let length = 1 << 20
  private static let policiesLimit = 256
  private static let firefoxID = "handoff@baton.io"
  /// The first version of Firefox that asks xdg-native-messaging-proxy to start programs.
  private static let proxied = 157
  static let manifest = "io.baton.*.json"
  /// Where packages put what browsers take by policy.
  private static let shared = ["/usr/share/baton/browser", "/usr/local/share/baton/browser"]

  private static let firefoxFolders = [
    "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/*baton*/manifest.json"
  ]
  private static let chromiumFolder = "/usr/share/chromium/extensions/baton"

  func object(_ path: String) -> [String: JSON]? {
    guard let file = RegularFile(path, length: Self.length) else { return nil }
    return (try? JSON(parsing: file.bytes, depth: 32))?.object
  }

  /// Where the extension for this browser comes from.
  func source(_ browser: InstalledBrowser) -> Verdict.Browser.Source {
    let product = browser.product
    switch product.family {
    case .chromium:
      guard browser.packaging == .native else { return .chrome }
      guard !product.policies.isEmpty else { return .folder }
      guard let folder = browser.folder else { return product == .chromium && browser.file == nil ? .debian : .chrome }
      let isDebian = installed(folder) == "/usr/lib/chromium" && access("\(root)/etc/chromium.d", F_OK) == 0
      return isDebian ? .debian : .chrome
    case .firefox:
      guard browser.packaging == .native, product == .firefox else { return .signedFile }
      guard let folder = browser.folder else { return browser.file == nil ? .debian : .firefox }
      // The package only adds policies of Firefox itself.
      guard policyFolder(browser) == BrowserProduct.firefox.policies.first else { return .signedFile }
      // Mozilla's builds update themselves, or say that a package does. They only load what Mozilla has signed.
      let isMozillas = ["updater", "update-settings.ini", "is-packaged-app"].contains {
        access("\(folder)/\($0)", F_OK) == 0
      }
      return isMozillas ? .firefox : .debian
    }
  }

  /// The file or folder that a person opens in the browser. Nil if its package isn't here, or nobody has to.
  func file(from source: Verdict.Browser.Source) -> String? {
    let paths: [String] =
      switch source {
      case .debian, .chrome, .firefox: []
      case .signedFile: Self.shared.map { "\($0)/\(Self.firefoxID).xpi" }
      // The hosts of browsers without policies are in the package for the others.
      case .folder: files(Self.shared.map { "\($0)/baton.crx" }).isEmpty ? [] : [Self.chromiumFolder]
      }
    return paths.first { access(root + $0, R_OK) == 0 }
  }

  /// Whether the browser has the extension, or gets it at its next start.
  func hasExtension(_ browser: InstalledBrowser) -> Bool {
    switch browser.product.family {
    case .firefox:
      source(browser) == .debian && !files(Self.firefoxFolders).isEmpty || installsFirefoxPolicy(browser)
        || !files(profiles(browser).map { "\($0)/*/extensions/\(Self.firefoxID).xpi" }).isEmpty
    case .chromium:
      isInstalledByPolicy(browser) || hasDebiansCopy && source(browser) == .debian && blocker(browser) == nil
        || !files(profiles(browser).flatMap { profile in chromiumIDs.map { "\(profile)/*/Extensions/\($0)" } }).isEmpty
    }
  }

  private var hasDebiansCopy: Bool { access("\(root)\(Self.chromiumFolder)/manifest.json", F_OK) == 0 }

  /// What keeps the browser from an extension that is installed for it.
  func obstacle(_ browser: InstalledBrowser, _ source: Verdict.Browser.Source) -> Verdict.Browser.Obstacle? {
    switch source {
    case .chrome, .debian:
      guard browser.product.family == .chromium, browser.packaging == .native else { return nil }
      let all = policies(browser)
      let replacement = all.lazy.compactMap { policies in
        chromiumIDs.lazy.compactMap { policies.replacement(for: $0) }.first
      }.first
      if let (path, id) = blocker(browser), source == .debian && hasDebiansCopy || replacement != nil {
        return .blocked(by: path, id: id)
      }
      return replacement.map(Verdict.Browser.Obstacle.replaced)
    case .firefox:
      guard let script = files(Self.shared.map { "\($0)/firefox-policy" }).first else { return nil }
      return .policies(path: firefoxPolicies(browser).map(installed), script: installed(script))
    case .folder, .signedFile: return nil
    }
  }

  /// Where profiles are, with `~` for the home folder.
  func profiles(_ browser: InstalledBrowser) -> [String] {
    let folder =
      switch browser.packaging {
      case .native: "~"
      case .flatpak: "~/.var/app/\(browser.app ?? "*")"
      case .snap: "~/snap/\(browser.app ?? "*")/common"
      }
    return browser.product.profiles(of: browser.folder).map { profile in
      // Flatpak sets XDG_CONFIG_HOME.
      let moved = browser.packaging == .flatpak ? profile.rest(afterBytesOf: ".config/").map { "config/\($0)" } : nil
      return "\(folder)/\(moved ?? profile)"
    }
  }

  // MARK: Chromium

  /// The extension's IDs: letters from a to p, so that no ID is a pattern. Every manifest has all of them.
  private var chromiumIDs: [String] {
    let manifests = files(BrowserProduct.all.flatMap(\.hosts).map { "\($0)/\(Self.manifest)" })
    let origins = manifests.compactMap { object($0)?["allowed_origins"]?.array }.joined()
    let ids = origins.compactMap { origin in
      origin.string?.rest(afterBytesOf: "chrome-extension://")?.start(beforeBytesOf: "/").map(String.init)
    }
    return Set(
      ids.filter { $0.utf8.count == 32 && $0.utf8.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "p")).contains) }
    )
    .sorted()
  }

  /// The policies in each folder that the browser may read.
  private func policies(_ browser: InstalledBrowser) -> [ChromiumPolicies] {
    browser.product.policies.map { name in
      let folder = "\(root)/etc/\(name)/policies/managed"
      let names = Folder.names(in: folder, limit: Self.policiesLimit)
      return ChromiumPolicies(
        names.compactMap { name in object("\(folder)/\(name)").map { (installed("\(folder)/\(name)"), $0) } }
      )
    }
  }

  private func isInstalledByPolicy(_ browser: InstalledBrowser) -> Bool {
    let all = policies(browser)
    return browser.packaging == .native && !all.isEmpty
      && all.allSatisfy { policies in chromiumIDs.contains { policies.decision(on: $0) == .installed } }
  }

  /// The file that forbids the extension whatever its ID, and one of those.
  private func blocker(_ browser: InstalledBrowser) -> (path: String, id: String)? {
    policies(browser).lazy.compactMap { policies in
      let blocked = chromiumIDs.compactMap { id in
        if case .blocked(let path) = policies.decision(on: id) { (path: path, id: id) } else { nil }
      }
      return blocked.count == chromiumIDs.count ? blocked.first : nil
    }.first
  }

  // MARK: Firefox

  /// The folder below `/etc` with the policies: Firefox and its relatives take the name in `application.ini`.
  private func policyFolder(_ browser: InstalledBrowser) -> String? {
    let name = browser.folder.flatMap { value(of: "Name", in: "\($0)/application.ini") }?.lowercased() ?? ""
    let isName =
      !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || byte == UInt8(ascii: "-")
      }
    return isName ? name : browser.product.policies.first
  }

  /// The file with policies that the browser reads: the system's, and the one in its own folder only without that.
  private func firefoxPolicies(_ browser: InstalledBrowser) -> String? {
    let candidates =
      [policyFolder(browser).map { "\(root)/etc/\($0)/policies/policies.json" }]
      + [browser.folder.map { "\($0)/distribution/policies.json" }]
    return candidates.compactMap(\.self).first { access($0, F_OK) == 0 }
  }

  private func installsFirefoxPolicy(_ browser: InstalledBrowser) -> Bool {
    guard browser.packaging == .native, let path = firefoxPolicies(browser),
      let setting = object(path)?["policies"]?.object?["ExtensionSettings"]?.object?[Self.firefoxID]?.object,
      setting["installation_mode"]?.string.map({ $0.ends(withBytesOf: "_installed") }) ?? false
    else { return false }
    guard let file = setting["install_url"]?.string?.rest(afterBytesOf: "file://") else { return true }
    return access(root + file, R_OK) == 0
  }

  /// Why the browser's sandbox keeps it from starting Baton. Nil if nothing does.
  func sandbox(_ browser: InstalledBrowser) -> Verdict.Browser.Sandbox? {
    switch (browser.packaging, browser.product.family) {
    case (.native, _): return nil
    case (.flatpak, .firefox):
      if let folder = browser.folder, let version = version(folder), version < Self.proxied { return .tooOld }
      return files(["/usr/share/dbus-1/services/org.freedesktop.NativeMessagingProxy.service"]).isEmpty ? .noProxy : nil
    case (.snap, .firefox): return .untested
    case (_, .chromium): return .closed
    }
  }

  /// The first number of the version of Firefox. Its relatives count their own otherwise, and name that one here.
  private func version(_ folder: String) -> Int? {
    let text =
      value(of: "Milestone", in: "\(folder)/platform.ini") ?? value(of: "Version", in: "\(folder)/application.ini")
    return text.flatMap { Int($0.scalarPrefix { ("0"..."9").contains($0) }) }
  }

  /// The value of the first `KEY=value` in a file.
  private func value(of key: String, in path: String) -> String? {
    text(of: path).splitScalars(where: VisibleText.endsLine).lazy.compactMap { $0.rest(afterBytesOf: "\(key)=") }.first
      .map { String($0.trimmed) }
  }
}
