// SPDX-License-Identifier: Apache-2.0

import Activity

/// A browser as people call it, and where it looks for policies, hosts and profiles.
package struct BrowserProduct: Equatable, Sendable {
  package enum Family: Sendable { case chromium, firefox }

  package let name: String
  package let family: Family
  /// The names of its programs.
  package let programs: [String]
  /// Words of which one is in the path of its folder, as in `/opt/brave.com`.
  private let words: [String]
  /// The folder of its policies and hosts, below `/etc`.
  package let configuration: String
  /// The folders with its profiles, below the home folder.
  package let profiles: [String]
  package let flatpaks: [String]
  package let snaps: [String]

  private init(
    _ name: String,
    _ family: Family,
    programs: [String],
    words: [String] = [],
    configuration: String,
    profiles: [String],
    flatpaks: [String] = [],
    snaps: [String] = []
  ) {
    self.name = name
    self.family = family
    self.programs = programs
    self.words = words
    self.configuration = configuration
    self.profiles = profiles
    self.flatpaks = flatpaks
    self.snaps = snaps
  }

  package static let chromium = BrowserProduct(
    "Chromium",
    .chromium,
    programs: ["chromium", "chromium-browser", "ungoogled-chromium"],
    configuration: "chromium",
    profiles: [".config/chromium"],
    flatpaks: ["org.chromium.Chromium", "io.github.ungoogled_software.ungoogled_chromium"],
    snaps: ["chromium"]
  )

  package static let firefox = BrowserProduct(
    "Firefox",
    .firefox,
    programs: ["firefox-esr", "firefox"],
    configuration: "firefox",
    profiles: [".mozilla/firefox", ".config/mozilla/firefox"],
    flatpaks: ["org.mozilla.firefox"],
    snaps: ["firefox"]
  )

  /// The products that doctors know by name. A browser that is none of these is Chromium or Firefox, by its family.
  package static let all = [
    chromium,
    BrowserProduct(
      "Google Chrome",
      .chromium,
      programs: ["google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable"],
      words: ["google"],
      configuration: "opt/chrome",
      profiles: [".config/google-chrome", ".config/google-chrome-beta", ".config/google-chrome-unstable"],
      flatpaks: ["com.google.Chrome", "com.google.ChromeDev"]
    ),
    BrowserProduct(
      "Brave",
      .chromium,
      programs: ["brave", "brave-browser", "brave-browser-stable", "brave-browser-beta", "brave-browser-nightly"],
      words: ["brave"],
      configuration: "brave",
      profiles: [".config/BraveSoftware/Brave-Browser"],
      flatpaks: ["com.brave.Browser"],
      snaps: ["brave"]
    ),
    BrowserProduct(
      "Microsoft Edge",
      .chromium,
      programs: ["msedge", "microsoft-edge", "microsoft-edge-stable", "microsoft-edge-beta", "microsoft-edge-dev"],
      words: ["msedge", "microsoft"],
      configuration: "opt/edge",
      profiles: [".config/microsoft-edge"],
      flatpaks: ["com.microsoft.Edge"]
    ),
    BrowserProduct(
      "Vivaldi",
      .chromium,
      programs: ["vivaldi", "vivaldi-bin", "vivaldi-stable", "vivaldi-snapshot"],
      words: ["vivaldi"],
      configuration: "vivaldi",
      profiles: [".config/vivaldi"],
      flatpaks: ["com.vivaldi.Vivaldi"],
      snaps: ["vivaldi"]
    ),
    BrowserProduct(
      "Opera",
      .chromium,
      programs: ["opera", "opera-stable", "opera-beta", "opera-developer"],
      words: ["opera"],
      configuration: "opera",
      profiles: [".config/opera"],
      flatpaks: ["com.opera.Opera"],
      snaps: ["opera"]
    ),
    firefox,
    BrowserProduct(
      "LibreWolf",
      .firefox,
      programs: ["librewolf"],
      words: ["librewolf"],
      configuration: "librewolf",
      profiles: [".librewolf"],
      flatpaks: ["io.gitlab.librewolf-community"]
    ),
    BrowserProduct(
      "Waterfox",
      .firefox,
      programs: ["waterfox"],
      words: ["waterfox"],
      configuration: "waterfox",
      profiles: [".waterfox"],
      flatpaks: ["net.waterfox.waterfox"]
    ),
  ]

  /// The product of a program, by the words of its path below where people put programs; else by its family.
  ///
  /// - Parameter path: Of the program, or of the folder in which it is.
  package static func of(_ family: Family, path: String) -> BrowserProduct {
    let parts = path.split(atScalar: "/").map { $0.lowercased() }
    let last = parts.last ?? ""
    let products = all.filter { $0.family == family }
    return products.first { $0.programs.contains(last) && !$0.words.isEmpty }
      ?? products.first { product in
        product.words.contains { word in parts.contains { $0.starts(withBytesOf: word) } }
      } ?? (family == .chromium ? chromium : firefox)
  }

  /// The family of the browser in a folder. Nil if there is none: Electron's apps and mail readers have similar files.
  /// Nil also for Tor Browser, in which an extension would show others who somebody is.
  ///
  /// - Parameter has: Whether a path exists, from the folder.
  package static func family(_ has: (String) -> Bool) -> Family? {
    if has("application.ini"), has("omni.ja"), has("browser/omni.ja") { return has("TorBrowser") ? nil : .firefox }
    guard has("icudtl.dat"), packs.contains(where: { has("\($0)_100_percent.pak") }) else { return nil }
    return apps.contains(where: has) ? nil : .chromium
  }

  /// How the files with a browser's pictures begin.
  private static let packs = ["chrome", "opera", "vivaldi"]

  /// What programs have that use Chromium's files and are no browsers.
  private static let apps = [
    "resources/app.asar", "resources/app", "resources/default_app.asar", "resources/electron.asar", "libcef.so",
    "libnode.so", "package.nw", "package.json",
  ]
}
