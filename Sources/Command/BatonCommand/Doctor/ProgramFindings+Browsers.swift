// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import Hosts
import JSONCoding

extension ProgramFindings {
  /// What stands between a flatpak and its host, as the kernel names it.
  private static let proxy = "xdg-native-mess"

  /// Somebody can have the same browser in more than one way.
  var browsers: [Verdict.Browser] {
    let installed = installedBrowsers
    return installed.map { browser in
      let hosts = running.hosts("browser-host") { program in
        browser.isMeant(program)
          || browser.packaging == .flatpak && browser.product.family == .firefox && program.name == Self.proxy
      }
      let hasNamesake = installed.contains { $0 != browser && $0.product == browser.product }
      let hasExtension = hasExtension(browser)
      return Verdict.Browser(
        name: browser.product.name,
        place: place(browser, hasNamesake: hasNamesake),
        packaging: browser.packaging,
        source: source(browser),
        sandbox: sandbox(browser),
        hasExtension: hasExtension,
        replacedBy: hasExtension || browser.product.family == .firefox ? nil : policy(browser).replacedBy,
        host: host(hostManifests(browser).first),
        isRunning: running.isRunning(browser.isMeant),
        isConnected: !hosts.isEmpty,
        withheld: hosts.lazy.compactMap { WithheldNote.read($0, environment) }.first?.explanation
      )
    }
  }

  private func place(_ browser: InstalledBrowser, hasNamesake: Bool) -> String? {
    guard browser.packaging == .native, let folder = browser.folder else { return nil }
    // The home folder can be a link: `/var/home` on systems whose `/` can't be written.
    let homes = [home, home.flatMap(SymbolicLink.resolved)].compactMap(\.self)
    let own = homes.lazy.compactMap { folder.rest(afterBytesOf: "\($0)/") }.first
    let path = own.map { "~/\($0)" } ?? installed(folder)
    let isUsual = path.starts(withBytesOf: "/usr/lib") || path.starts(withBytesOf: "/opt/")
    return isUsual && !hasNamesake ? nil : path
  }

  private func host(_ manifest: String?) -> Verdict.Browser.Host {
    guard let manifest, let path = object(manifest)?["path"]?.string else { return .unknown }
    return access(root + path, X_OK) == 0 ? .installed : .missing(path: path)
  }
}
