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
    package enum Source: String, Sendable {
      /// Debian's builds load what a package installs for them.
      case debian = "baton-browser"
      /// A policy installs it.
      case chrome = "baton-browser-chrome"
      /// The same with the file that Mozilla has signed.
      case firefox = "baton-browser-firefox"
    }
    /// Why a flatpak of Firefox cannot start Baton. Nil if it can.
    package enum Sandbox: Equatable, Sendable {
      /// Its version is older than the first that asks the proxy.
      case tooOld
      /// The machine has no xdg-native-messaging-proxy.
      case noProxy
      case closed
    }

    package var name: String
    /// Where it is, if that isn't where the system's packages are: `~/firefox`.
    package var place: String?
    package var packaging: Packaging
    package var source: Source
    package var sandbox: Sandbox?
    package var hasExtension: Bool
    /// An administrator's file that replaces Baton's policy. Nil if there is none.
    package var replacedBy: String?
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
      sandbox: Sandbox? = nil,
      hasExtension: Bool = false,
      replacedBy: String? = nil,
      host: Host = .unknown,
      isRunning: Bool = false,
      isConnected: Bool = false,
      withheld: String? = nil
    ) {
      self.name = name
      self.place = place
      self.packaging = packaging
      self.source = source
      self.sandbox = sandbox
      self.hasExtension = hasExtension
      self.replacedBy = replacedBy
      self.host = host
      self.isRunning = isRunning
      self.isConnected = isConnected
      self.withheld = withheld
    }

    /// With the place, so that two of the same name differ.
    package var title: String { place.map { "\(name) (\($0))" } ?? name }
  }

  package static func browser(_ browser: Browser) -> Finding {
    let name = browser.title
    if browser.isConnected {
      let connected = localized("\(name) is connected to Baton.")
      return Finding(.browser, .passed, browser.withheld.map { "\(connected) \($0)" } ?? connected)
    }
    if let sandbox = browser.sandbox { return closed(browser, sandbox) }
    guard browser.hasExtension else { return withoutExtension(browser) }
    switch browser.host {
    case .unknown:
      return broken(
        localized("\(name) has Baton's extension, but the manifest that tells it how to start Baton is missing.")
      )
    case .missing(let path): return broken(localized("\(name) can't start Baton, because it can't run \(path)."))
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

  private static func closed(_ browser: Browser, _ sandbox: Browser.Sandbox) -> Finding {
    let name = browser.title
    let packaging = browser.packaging.rawValue
    switch sandbox {
    case .closed:
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging), which can't start Baton."),
        advice: localized("To hand off pages, use \(browser.name) from a Debian package.")
      )
    case .tooOld:
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging) that's too old to start Baton."),
        advice: localized("Update it to Firefox 157 or newer with `flatpak update`.")
      )
    case .noProxy:
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(packaging), which needs xdg-native-messaging-proxy to start Baton."),
        advice: localized("Install the package xdg-native-messaging-proxy, and restart the browser.")
      )
    }
  }

  private static func withoutExtension(_ browser: Browser) -> Finding {
    let name = browser.title
    if let file = browser.replacedBy {
      return Finding(
        .browser,
        .note,
        localized("\(name) doesn't have Baton's extension, because \(file) replaces the policy that installs it."),
        advice: localized("Add the content of !baton.json, in the same folder, to \(file).")
      )
    }
    let advice =
      switch (browser.source, browser.packaging) {
      case (.debian, _):
        localized("To hand off pages, run `sudo apt install ./baton-browser_*.deb`, and restart the browser.")
      case (_, .native):
        localized("To hand off pages, install the package \(browser.source.rawValue), and restart the browser.")
      case (_, _):
        localized("To hand off pages, open the extension's signed file in \(name): Browser.md shows how.")
      }
    return Finding(.browser, .skipped, localized("\(name) doesn't have Baton's extension."), advice: advice)
  }

  private static func broken(_ detail: String) -> Finding {
    // dpkg leaves out what somebody has deleted from /etc, unless it is told otherwise.
    let advice = localized("Reinstall baton-browser: `sudo dpkg --install --force-confmiss baton-browser_*.deb`.")
    return Finding(.browser, .failed, detail, reason: .launchFailed, advice: advice)
  }
}
