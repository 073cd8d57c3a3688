// SPDX-License-Identifier: Apache-2.0

import Activity

/// A browser as people call it, and where it looks for policies, hosts and profiles.
package struct BrowserProduct: Equatable, Sendable {
  package enum Family: Sendable { case chromium, firefox }

  package let name: String
  package let family: Family
  /// The names of its programs.
  package let programs: [String]
  /// Words of which one begins a part of the path of its folder, as in `/opt/brave.com`.
  let words: [String]
  /// The folders below `/etc` with its policies. If sources differ on which it reads, all of them: doctors only trust
  /// what is in each. Empty if it isn't known to read any.
  package let policies: [String]
  /// The folders with the manifests of hosts for all users, with `*` for any name. As with policies, all of them if
  /// sources differ.
  package let hosts: [String]
  /// The same for one user, below the home folder, besides those in its profiles.
  package let ownHosts: [String]
  /// The folders with its profiles, below the home folder.
  private let profiles: [String]
  package let flatpaks: [String]
  package let snaps: [String]

  init(
    _ name: String,
    _ family: Family,
    programs: [String],
    words: [String] = [],
    policies: [String],
    hosts: [String],
    ownHosts: [String] = [],
    profiles: [String],
    flatpaks: [String] = [],
    snaps: [String] = []
  ) {
    self.name = name
    self.family = family
    self.programs = programs
    self.words = words
    self.policies = policies
    self.hosts = hosts
    self.ownHosts = ownHosts
    self.profiles = profiles
    self.flatpaks = flatpaks
    self.snaps = snaps
  }

  private static let channels = ["beta", "canary", "dev", "developer", "nightly", "snapshot", "unstable"]

  /// The folders with its profiles, below the home folder. Each channel has its own.
  ///
  /// - Parameter folder: The folder of the browser, whose name ends with the channel: `/opt/google/chrome-beta`. Nil if
  ///   it isn't known.
  package func profiles(of folder: String?) -> [String] {
    let name = folder?.split(atScalar: "/").last?.lowercased()
    guard family == .chromium, let channel = Self.channels.first(where: { name?.ends(withBytesOf: "-\($0)") ?? false })
    else { return profiles }
    return profiles.map { profile in
      // Brave writes them large, like the rest of the name.
      let isLarge = profile.split(atScalar: "/").last?.utf8.first.map { $0 < UInt8(ascii: "a") } ?? false
      return "\(profile)-\(isLarge ? channel.prefix(1).uppercased() + channel.dropFirst() : channel)"
    }
  }

  /// The product of a program, by the words of its path below where people put programs; else by its family. The last
  /// part of the path counts most.
  ///
  /// - Parameter path: Of the program, or of the folder in which it is, without the home folder: a user can be called
  ///   `brave`.
  package static func of(_ family: Family, path: String) -> BrowserProduct {
    let products = all.filter { $0.family == family }
    let parts = path.split(atScalar: "/").map { $0.lowercased() }.reversed()
    return parts.lazy.compactMap { part in
      products.first { product in product.words.contains { part.hasBytes(of: $0) || isName(part, of: $0) } }
    }.first ?? (family == .chromium ? chromium : firefox)
  }

  /// The product in whose name a single file begins that contains a whole program: `Brave-1.90-x86_64.AppImage`.
  package static func named(_ file: String) -> BrowserProduct? {
    let name = file.lowercased()
    return all.first { product in
      [product.programs, product.words].joined().contains { isName(name, of: $0) }
    }
  }

  /// Whether a name continues after the word with something else than a letter: `zen-x86_64`, and not `zenity`.
  private static func isName(_ name: String, of word: String) -> Bool {
    name.rest(afterBytesOf: word)?.utf8.first.map { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) } ?? false
  }

  /// The family of the browser in a folder. Nil if there is none: Electron's apps and mail readers have similar files.
  /// Nil also for Tor Browser and Mullvad Browser, in which an extension would show others who somebody is.
  ///
  /// - Parameters:
  ///   - has: Whether a path exists, from the folder.
  ///   - names: The names in the folder. They are only asked for if it can be Chromium's.
  package static func family(_ has: (String) -> Bool, names: () -> [String]) -> Family? {
    if has("application.ini"), has("omni.ja"), has("browser/omni.ja") {
      return anonymous.contains(where: has) ? nil : .firefox
    }
    // Each product names the file with its pictures after itself: `msedge_100_percent.pak`.
    guard has("icudtl.dat"), !apps.contains(where: has) else { return nil }
    return names().contains { $0.ends(withBytesOf: "_100_percent.pak") } ? .chromium : nil
  }

  private static let anonymous = ["TorBrowser", "mullvadbrowser"]

  /// What programs have that use Chromium's files and are no browsers.
  private static let apps = [
    "resources/app.asar", "resources/app", "resources/default_app.asar", "resources/electron.asar", "libcef.so",
    "libnode.so", "package.nw", "package.json",
  ]
}
