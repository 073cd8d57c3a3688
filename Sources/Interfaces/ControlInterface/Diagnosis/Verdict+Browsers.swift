// SPDX-License-Identifier: Apache-2.0

import Activity
import Localization

extension Verdict {
  /// A browser of the user, and what is there for it to hand over pages.
  package struct Browser: Equatable, Sendable {
    package enum Packaging: String, Sendable { case native, flatpak, snap }
    package enum Host: Equatable, Sendable {
      /// No manifest tells the browser which program to start.
      case unknown
      /// The manifest names a program that cannot be run.
      case missing(path: String)
      case installed
    }
    /// What gives the browser the extension.
    package enum Source: Sendable, CaseIterable {
      /// Debian's builds load what a package installs for them.
      case debian
      /// A policy installs it.
      case chrome
      /// The same with the file that Mozilla has signed.
      case firefox
      /// A person opens that file in the browser, which a policy of Baton's package doesn't reach.
      case signedFile
      /// A person loads the folder with the extension, because the browser isn't known to read policies.
      case folder

      /// The package with what it needs.
      package var package: String {
        switch self {
        case .debian: "baton-browser"
        case .chrome, .folder: "baton-browser-chrome"
        case .firefox, .signedFile: "baton-browser-firefox"
        }
      }
    }
    /// Why a sandboxed browser may not be able to start Baton. Nil if it can.
    package enum Sandbox: Equatable, Sendable {
      /// Its version is older than the first that asks the proxy.
      case tooOld
      /// The machine has no xdg-native-messaging-proxy.
      case noProxy
      /// Only the desktop portal of some distributions starts programs for it, which nobody has tested.
      case untested
      case closed
    }
    /// What keeps an extension that is installed for the browser from it.
    package enum Obstacle: Equatable, Sendable {
      /// An administrator's file counts instead of the policy that installs it.
      case replaced(by: String)
      /// An administrator's file forbids the extension with this ID.
      case blocked(by: String, id: String)
      /// The file with Firefox's policies doesn't have it, or there is none. The script adds it.
      case policies(path: String?, script: String)
    }

    package var name: String
    /// Where it is, if that isn't where the system's packages are: `~/firefox`.
    package var place: String?
    package var packaging: Packaging
    package var source: Source
    /// The file or folder that a person opens in the browser. Nil if nobody has to, or its package isn't installed.
    package var file: String?
    package var sandbox: Sandbox?
    package var hasExtension: Bool
    package var obstacle: Obstacle?
    package var host: Host
    package var isRunning: Bool
    package var isConnected: Bool
    /// Why its page is not offered, for people. Nil if there is nothing to say.
    package var withheld: String?

    package init(
      name: String,
      place: String? = nil,
      packaging: Packaging = .native,
      source: Source = .debian,
      file: String? = nil,
      sandbox: Sandbox? = nil,
      hasExtension: Bool = false,
      obstacle: Obstacle? = nil,
      host: Host = .unknown,
      isRunning: Bool = false,
      isConnected: Bool = false,
      withheld: String? = nil
    ) {
      self.name = name
      self.place = place
      self.packaging = packaging
      self.source = source
      self.file = file
      self.sandbox = sandbox
      self.hasExtension = hasExtension
      self.obstacle = obstacle
      self.host = host
      self.isRunning = isRunning
      self.isConnected = isConnected
      self.withheld = withheld
    }

    /// With the place, so that two of the same name differ.
    package var title: String { place.map { "\(name) (\($0))" } ?? name }
  }

  /// - Parameter packages: What installs packages on this machine. Nil if nothing does that is known here.
  package static func browser(_ browser: Browser, _ packages: PackageManager?) -> Finding {
    let name = browser.title
    if browser.isConnected {
      let connected = localized("\(name) is connected to Baton.")
      return Finding(.browser, .passed, browser.withheld.map { "\(connected) \($0)" } ?? connected)
    }
    if let sandbox = browser.sandbox { return closed(browser, sandbox, packages) }
    guard browser.hasExtension else { return withoutExtension(browser, packages) }
    switch browser.host {
    case .unknown:
      let detail = localized(
        "\(name) has Baton's extension, but the manifest that tells it how to start Baton is missing."
      )
      // Packages for other browsers bring the manifests for those.
      return broken(
        detail,
        browser.source == .chrome ? browser.source.package : Browser.Source.debian.package,
        packages
      )
    case .missing(let path):
      let detail = localized("\(name) can't start Baton, because it can't run \(path).")
      return broken(detail, Browser.Source.debian.package, packages)
    case .installed where browser.isRunning:
      return Finding(
        .browser,
        .note,
        localized("\(name) is running, but isn't connected to Baton."),
        advice: localized(
          "If it has just started, wait 30 seconds. Otherwise, restart it, and check that Baton's extension is enabled."
        )
      )
    case .installed: return Finding(.browser, .passed, localized("\(name) has Baton's extension. It isn't running."))
    }
  }

  private static func closed(_ browser: Browser, _ sandbox: Browser.Sandbox, _ packages: PackageManager?) -> Finding {
    let name = browser.title
    let packaging = browser.packaging.rawValue
    switch sandbox {
    case .closed:
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging), which can't start Baton."),
        advice: localized("To hand off pages, use \(browser.name) from a package of your distribution or its maker.")
      )
    case .untested:
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging), which can start Baton only through Ubuntu's desktop portal."),
        advice: localized(
          "That hasn't been tested. If it doesn't connect, use \(browser.name) from a package of your distribution or its maker."
        )
      )
    case .tooOld:
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging) that's too old to start Baton."),
        advice: localized("Update it with `flatpak update`. It must be based on Firefox 157 or newer.")
      )
    case .noProxy:
      let proxy = "xdg-native-messaging-proxy"
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging), which needs \(proxy) to start Baton."),
        advice: packages.map { localized("Run `\($0.installFromSystem(proxy))`, and restart the browser.") }
          ?? localized("Install the package \(proxy), and restart the browser.")
      )
    }
  }

  private static func withoutExtension(_ browser: Browser, _ packages: PackageManager?) -> Finding {
    let name = browser.title
    if let obstacle = browser.obstacle { return hindered(name, obstacle) }
    let package = browser.source.package
    let command = packages.map { "`\($0.install(package))`" }
    let detail = localized("\(name) doesn't have Baton's extension.")
    let advice: String
    switch (browser.source, browser.file) {
    case (.firefox, nil) where packages != .apt, (.signedFile, nil) where packages != .apt:
      // Only Debian has the package.
      advice = localized(
        "To hand off pages, open `about:addons` in \(browser.name), choose *Install Add-on From File*, and open `baton-*.xpi` from Baton's release."
      )
    case (.debian, _), (.chrome, _), (.firefox, _):
      advice =
        command.map { localized("To hand off pages, run \($0), and restart the browser.") }
        ?? localized("To hand off pages, install the package \(package), and restart the browser.")
    case (_, nil):
      advice =
        command.map { localized("To hand off pages, run \($0), and then run `baton doctor` again.") }
        ?? localized("To hand off pages, install the package \(package), and then run `baton doctor` again.")
    case (.signedFile, let file?):
      advice = localized(
        "To hand off pages, open `about:addons` in \(browser.name), choose *Install Add-on From File*, and open \(file)."
      )
    case (.folder, let file?):
      // The doctor doesn't see an extension that somebody has loaded from a folder.
      return Finding(
        .browser,
        .note,
        localized("\(name) isn't connected to Baton."),
        advice: localized(
          "Start it. If it doesn't have Baton's extension, open its extensions page, turn on developer mode, and load the folder \(file)."
        )
      )
    }
    return Finding(.browser, .skipped, detail, advice: advice)
  }

  private static func hindered(_ name: String, _ obstacle: Browser.Obstacle) -> Finding {
    switch obstacle {
    case .replaced(let file):
      return Finding(
        .browser,
        .note,
        localized("\(name) doesn't have Baton's extension, because \(file) replaces the policy that installs it."),
        advice: localized("Add the entry in !baton.json, in the same folder, to `ExtensionSettings` in \(file).")
      )
    case .blocked(let file, let id):
      return Finding(
        .browser,
        .note,
        localized("\(name) doesn't have Baton's extension, because \(file) blocks it."),
        advice: localized("To hand off pages, allow the extension \(id) there.")
      )
    case .policies(let file, let script):
      return Finding(
        .browser,
        .note,
        file.map { localized("\(name) doesn't have Baton's extension, because \($0) doesn't install it.") }
          ?? localized("\(name) doesn't have Baton's extension, because its policies don't install it."),
        advice: localized("Run `sudo \(script) add`, which adds it or shows you what to change.")
      )
    }
  }

  private static func broken(_ detail: String, _ package: String, _ packages: PackageManager?) -> Finding {
    let advice =
      packages.map { localized("Reinstall \(package): `\($0.reinstall(package))`.") }
      ?? localized("Reinstall Baton's extension: see Browser.md.")
    return Finding(.browser, .failed, detail, reason: .launchFailed, advice: advice)
  }
}
