// SPDX-License-Identifier: Apache-2.0

/// The products that doctors know by name. Where each looks for policies and hosts is in its sources or its maker's
/// documents, except where a comment says that it isn't.
extension BrowserProduct {
  private static let chromiumHosts = "/etc/chromium/native-messaging-hosts"
  private static let chromeHosts = "/etc/opt/chrome/native-messaging-hosts"
  private static let mozillaHosts = "/usr/lib*/mozilla/native-messaging-hosts"
  private static let ownMozillaHosts = ".mozilla/native-messaging-hosts"

  package static let chromium = BrowserProduct(
    "Chromium",
    .chromium,
    programs: ["chromium", "chromium-browser", "ungoogled-chromium"],
    policies: ["chromium"],
    hosts: [chromiumHosts],
    profiles: [".config/chromium"],
    flatpaks: ["org.chromium.Chromium", "io.github.ungoogled_software.ungoogled_chromium"],
    snaps: ["chromium"]
  )

  package static let firefox = BrowserProduct(
    "Firefox",
    .firefox,
    programs: ["firefox-esr", "firefox"],
    policies: ["firefox"],
    hosts: [mozillaHosts],
    ownHosts: [ownMozillaHosts],
    profiles: [".mozilla/firefox", ".config/mozilla/firefox"],
    flatpaks: ["org.mozilla.firefox"],
    snaps: ["firefox"]
  )

  /// A browser that is none of these is Chromium or Firefox, by its family.
  package static let all = [
    chromium,
    BrowserProduct(
      "Google Chrome",
      .chromium,
      programs: ["google-chrome", "google-chrome-stable", "google-chrome-beta", "google-chrome-unstable"],
      words: ["google"],
      policies: ["opt/chrome"],
      hosts: [chromeHosts],
      profiles: [".config/google-chrome"],
      flatpaks: ["com.google.Chrome", "com.google.ChromeDev"]
    ),
    // It has policies of its own, and reads the manifests of hosts where Chrome does.
    BrowserProduct(
      "Brave",
      .chromium,
      programs: ["brave", "brave-browser", "brave-browser-stable", "brave-browser-beta", "brave-browser-nightly"],
      words: ["brave"],
      policies: ["brave"],
      hosts: [chromeHosts],
      profiles: [".config/BraveSoftware/Brave-Browser"],
      flatpaks: ["com.brave.Browser"],
      snaps: ["brave"]
    ),
    BrowserProduct(
      "Microsoft Edge",
      .chromium,
      programs: ["msedge", "microsoft-edge", "microsoft-edge-stable", "microsoft-edge-beta", "microsoft-edge-dev"],
      words: ["msedge", "microsoft"],
      policies: ["opt/edge"],
      hosts: ["/etc/opt/edge/native-messaging-hosts"],
      profiles: [".config/microsoft-edge"],
      flatpaks: ["com.microsoft.Edge"]
    ),
    // Its sources of 2018 read the policies of Chromium and the hosts of Chrome. Users report others since then.
    BrowserProduct(
      "Vivaldi",
      .chromium,
      programs: ["vivaldi", "vivaldi-bin", "vivaldi-stable", "vivaldi-snapshot"],
      words: ["vivaldi"],
      policies: ["vivaldi", "chromium"],
      hosts: [chromeHosts, chromiumHosts],
      profiles: [".config/vivaldi"],
      flatpaks: ["com.vivaldi.Vivaldi"],
      snaps: ["vivaldi"]
    ),
    // Nothing says that it reads policies.
    BrowserProduct(
      "Opera",
      .chromium,
      programs: ["opera", "opera-stable", "opera-beta", "opera-developer"],
      words: ["opera"],
      policies: [],
      hosts: [chromeHosts],
      ownHosts: [".config/google-chrome/NativeMessagingHosts"],
      profiles: [".config/opera"],
      flatpaks: ["com.opera.Opera"],
      snaps: ["opera"]
    ),
    firefox,
    // Unlike other relatives of Firefox, it looks for hosts in folders of its own.
    BrowserProduct(
      "LibreWolf",
      .firefox,
      programs: ["librewolf"],
      words: ["librewolf"],
      policies: ["librewolf"],
      hosts: ["/usr/lib*/librewolf/native-messaging-hosts"],
      ownHosts: [".librewolf/native-messaging-hosts"],
      profiles: [".librewolf"],
      flatpaks: ["io.gitlab.librewolf-community"]
    ),
    BrowserProduct(
      "Waterfox",
      .firefox,
      programs: ["waterfox"],
      words: ["waterfox"],
      policies: ["waterfox"],
      hosts: [mozillaHosts],
      ownHosts: [ownMozillaHosts],
      profiles: [".waterfox"],
      flatpaks: ["net.waterfox.waterfox"]
    ),
    BrowserProduct(
      "Floorp",
      .firefox,
      programs: ["floorp"],
      words: ["floorp"],
      policies: ["floorp"],
      hosts: [mozillaHosts],
      ownHosts: [ownMozillaHosts],
      profiles: [".floorp"],
      flatpaks: ["one.ablaze.floorp"]
    ),
    BrowserProduct(
      "Zen",
      .firefox,
      programs: ["zen", "zen-browser"],
      words: ["zen"],
      policies: ["zen"],
      hosts: [mozillaHosts],
      ownHosts: [ownMozillaHosts],
      profiles: [".zen", ".config/zen"],
      flatpaks: ["app.zen_browser.zen"]
    ),
  ]
}
