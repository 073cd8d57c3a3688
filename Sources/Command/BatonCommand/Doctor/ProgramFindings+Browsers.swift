// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import Hosts
import JSONCoding

extension ProgramFindings {
  /// Somebody can have the same browser in more than one way.
  var browsers: [Verdict.Browser] {
    let installed = installedBrowsers
    return installed.map { browser in
      let isRunning = running.isRunning(browser.isMeant)
      let hosts = running.hosts("browser-host") { program in
        browser.isMeant(program) || isRunning && program.name == browser.starter
      }
      let hasNamesake = installed.contains { $0 != browser && $0.product == browser.product }
      let hasExtension = hasExtension(browser)
      let source = source(browser)
      return Verdict.Browser(
        name: browser.product.name,
        place: place(browser, hasNamesake: hasNamesake),
        packaging: browser.packaging,
        source: source,
        file: hasExtension ? nil : file(from: source),
        sandbox: sandbox(browser),
        hasExtension: hasExtension,
        obstacle: hasExtension ? nil : obstacle(browser, source),
        host: host(browser),
        isRunning: isRunning,
        isConnected: !hosts.isEmpty,
        withheld: hosts.lazy.compactMap { WithheldNote.read($0, environment) }.first?.explanation
      )
    }
  }

  /// A path without the home folder, which can be a link: `/var/home` on systems whose `/` can't be written.
  func fromHome(_ path: String) -> String? {
    let homes = [home, home.flatMap(SymbolicLink.resolved)].compactMap(\.self)
    return homes.lazy.compactMap { path.rest(afterBytesOf: "\($0)/") }.first.map(String.init)
  }

  private func place(_ browser: InstalledBrowser, hasNamesake: Bool) -> String? {
    guard browser.packaging == .native, let folder = browser.file ?? browser.folder else { return nil }
    let path = fromHome(folder).map { "~/\($0)" } ?? installed(folder)
    let isUsual = ["/usr/lib", "/usr/share/", "/opt/"].contains { path.starts(withBytesOf: $0) }
    return isUsual && !hasNamesake ? nil : path
  }

  /// The manifests in each of the folders in which this browser looks, or in one of its user's.
  private func host(_ browser: InstalledBrowser) -> Verdict.Browser.Host {
    let own = browser.product.ownHosts.map { "~/\($0)" } + profiles(browser).map { "\($0)/NativeMessagingHosts" }
    let manifests =
      files(own.map { "\($0)/\(Self.manifest)" }).first.map { [$0] }
      ?? browser.product.hosts.map { files(["\($0)/\(Self.manifest)"]).first ?? "" }
    let paths = manifests.compactMap { object($0)?["path"]?.string }
    guard let path = paths.first, paths.count == manifests.count else { return .unknown }
    return access(root + path, X_OK) == 0 ? .installed : .missing(path: path)
  }
}
