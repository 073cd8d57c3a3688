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

    package let name: String
    package let packaging: Packaging
    package let hasExtension: Bool
    package let host: Host
    package let isRunning: Bool
    package let isConnected: Bool
    /// Why its page is not offered, for people. Nil if there is nothing to say.
    package let withheld: String?

    package init(
      name: String,
      packaging: Packaging = .native,
      hasExtension: Bool = false,
      host: Host = .unknown,
      isRunning: Bool = false,
      isConnected: Bool = false,
      withheld: String? = nil
    ) {
      self.name = name
      self.packaging = packaging
      self.hasExtension = hasExtension
      self.host = host
      self.isRunning = isRunning
      self.isConnected = isConnected
      self.withheld = withheld
    }
  }

  package static func browser(_ browser: Browser) -> Finding {
    let name = browser.name
    if browser.isConnected {
      let connected = localized("\(name) is connected to Baton.")
      return Finding(.browser, .passed, browser.withheld.map { "\(connected) \($0)" } ?? connected)
    }
    guard browser.packaging == .native else {
      return Finding(
        .browser,
        .note,
        localized("\(name) is a \(browser.packaging.rawValue), which can't start Baton."),
        advice: localized("To hand off pages, use \(name) from a Debian package.")
      )
    }
    guard browser.hasExtension else {
      return Finding(
        .browser,
        .skipped,
        localized("\(name) doesn't have Baton's extension."),
        advice: localized("To hand off pages, run `sudo apt install ./baton-browser_*.deb`, and restart the browser.")
      )
    }
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

  private static func broken(_ detail: String) -> Finding {
    // dpkg leaves out what somebody has deleted from /etc, unless it is told otherwise.
    let advice = localized("Reinstall baton-browser: `sudo dpkg --install --force-confmiss baton-browser_*.deb`.")
    return Finding(.browser, .failed, detail, reason: .launchFailed, advice: advice)
  }
}
