// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonCommand

/// Browsers where few people have them, folders that nobody should get lost in, and what users of other programs with
/// hosts have reported about them.
@Suite(.isolated) final class UnusualBrowserTests {
  private let machine: BrowserMachine

  init() throws { machine = try BrowserMachine() }

  private func write(_ folder: String, named name: String, in family: BrowserProduct.Family = .firefox) throws {
    let files = family == .firefox ? BrowserMachine.firefox : BrowserMachine.chromium
    try machine.write(folder, files, program: name)
  }

  // MARK: Places

  @Test func aProfileOfNixLeadsToTheStore() throws {
    let store = "/nix/store/abc-firefox-159/"
    try machine.write("\(store)bin/firefox", "\u{7F}ELF", isProgram: true)
    try write("\(store)lib/firefox", named: "firefox")
    try machine.link("/home/.nix-profile/bin/firefox", to: "\(store)bin/firefox")
    #expect(machine.findings(path: "/home/.nix-profile/bin").browsers.map(\.title) == ["Firefox (\(store)lib/firefox)"])
  }

  @Test func aProgramThatIsOneFileIsFoundByItsName() throws {
    try machine.write("/home/Applications/Brave-1.90-x86_64.AppImage", isProgram: true)
    try machine.write("/home/Downloads/librewolf.x86_64.appimage", isProgram: true)
    for name in ["Zenity.AppImage", "braveheart.AppImage", "AppImage", "brave"] {
      try machine.write("/home/Applications/\(name)", isProgram: true)
    }
    try machine.write("/home/Applications/vivaldi-7.AppImage")
    #expect(
      machine.titles == [
        "Brave (~/Applications/Brave-1.90-x86_64.AppImage)",
        "LibreWolf (~/Downloads/librewolf.x86_64.appimage)",
      ]
    )
    // A desktop entry leads to others. While one runs, it's mounted somewhere.
    try machine.write("/srv/My Apps/chromium-156.AppImage", isProgram: true)
    try machine.write(
      "/home/.local/share/applications/c.desktop",
      machine.entry("\"\(machine.root)/srv/My Apps/chromium-156.AppImage\" %U")
    )
    try write("/tmp/.mount_Brave.a1/opt/brave", named: "brave", in: .chromium)
    let path = "\(machine.root)/tmp/.mount_Brave.a1/opt/brave/brave"
    let browsers = machine.findings([RunningProgram(process: 2, parent: 1, name: "brave", executable: path)]).browsers
    #expect(browsers.first?.title == "Brave (~/Applications/Brave-1.90-x86_64.AppImage)")
    #expect(browsers.map(\.name) == ["Brave", "Chromium", "LibreWolf"])
    #expect(browsers.map(\.isRunning) == [true, false, false])
  }

  @Test func scriptsCanNamePathsWithSpaces() throws {
    try write("/srv/My Browsers/chrome linux", named: "chrome", in: .chromium)
    try machine.write(
      "/bin/chromium",
      "#!/bin/sh\nexec '/srv/My Browsers/chrome linux/chrome' \"$@\"\n",
      isProgram: true
    )
    #expect(machine.titles == ["Chromium (/srv/My Browsers/chrome linux)"])
  }

  @Test func aHomeFolderWithTheNameOfABrowserNamesNone() throws {
    try write("/home/firefox", named: "firefox")
    var findings = machine.findings()
    findings.environment = ProcessEnvironment(["PATH": "", "HOME": "\(machine.root)/zen/brave"])
    try write("/zen/brave/firefox", named: "firefox")
    try write("/zen/brave/chromium", named: "chromium", in: .chromium)
    #expect(findings.browsers.map(\.title) == ["Chromium (~/chromium)", "Firefox (~/firefox)"])
  }

  /// Each channel has a profile of its own.
  @Test(arguments: [
    ("/opt/google/chrome-beta", "google-chrome-beta", "google-chrome"),
    ("/opt/google/chrome", "google-chrome", "google-chrome-unstable"),
    ("/opt/brave.com/brave-nightly", "BraveSoftware/Brave-Browser-Nightly", "BraveSoftware/Brave-Browser"),
    ("/opt/microsoft/msedge-dev", "microsoft-edge-dev", "microsoft-edge"),
    ("/opt/vivaldi-snapshot", "vivaldi-snapshot", "vivaldi"),
  ])
  func channelsAreKeptApart(folder: String, own: String, other: String) throws {
    try write(folder, named: "x", in: .chromium)
    try machine.writeHost("chromium")
    try machine.write("/home/.config/\(other)/Default/Extensions/\(machine.id)/1/manifest.json")
    #expect(try machine.browser().hasExtension == false)
    try machine.write("/home/.config/\(own)/Default/Extensions/\(machine.id)/1/manifest.json")
    #expect(try machine.browser().hasExtension)
  }

  // MARK: What nobody should get lost in

  @Test func loopsAndUnreadableFoldersEnd() throws {
    try machine.link("/home/a/b", to: "../a")
    try machine.link("/home/loop", to: "loop")
    try machine.link("/opt/all", to: "/")
    try machine.link("/bin/chromium", to: "chromium")
    try machine.write("/home/closed/x")
    #expect(chmod("\(machine.root)/home/closed", 0) == 0)
    defer { chmod("\(machine.root)/home/closed", 0o700) }
    try write("/home/a/firefox", named: "firefox")
    #expect(machine.titles == ["Firefox (~/a/firefox)"])
  }

  @Test func aBrowserAmongThousandsIsFoundAndNoFolderTakesTheShareOfAnother() throws {
    for number in 0..<10_000 { #expect(mkdir("\(machine.root)/home/\(number)", 0o700) == 0) }
    try write("/home/zzz/firefox", named: "firefox")
    try write("/home/.local/share/firefox", named: "firefox")
    #expect(machine.titles == ["Firefox (~/.local/share/firefox)", "Firefox (~/zzz/firefox)"])
  }

  /// A file system of another machine can keep whoever looks at it waiting until that machine is back.
  @Test func whatAnotherMachineSharesIsNotLookedAt() throws {
    let mount = "36 25 0:31 / \(machine.root)/home/far\\040away rw - nfs4 server:/ rw\n"
    try machine.write("/proc/self/mountinfo", "1 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n\n3 4\n\(mount)")
    try write("/home/far away/firefox", named: "firefox")
    try machine.link("/home/link", to: "/home/far away/firefox")
    try write("/home/near/firefox", named: "firefox")
    #expect(machine.titles == ["Firefox (~/near/firefox)"])
    // The home folder itself can be on another machine.
    try machine.write("/proc/self/mountinfo", "1 1 8:1 / \(machine.root)/home rw - nfs server:/home rw\n")
    #expect(machine.titles == ["Firefox (~/far away/firefox)", "Firefox (~/near/firefox)"])
  }

  /// A program with a browser's name, in every place that leads somewhere, would leave a trace.
  @Test func nothingIsEverStarted() throws {
    let trap = "#!/bin/sh\ntouch \(machine.root)/trace\n"
    for name in ["firefox", "chromium", "google-chrome", "brave", "flatpak", "snap", "dpkg", "rpm", "dnf"] {
      try machine.write("/bin/\(name)", trap, isProgram: true)
    }
    try write("/opt/firefox", named: "firefox")
    try machine.write("/opt/firefox/firefox", trap, isProgram: true)
    try machine.write("/home/Applications/zen-x86_64.AppImage", trap, isProgram: true)
    try machine.write(
      "/usr/share/applications/x.desktop",
      machine.entry("\(machine.root)/bin/firefox $(touch /trace) %u")
    )
    _ = machine.findings().all
    #expect(access("\(machine.root)/trace", F_OK) != 0)
  }

  // MARK: Package managers

  @Test func theMachinesPackageManagerIsNamed() throws {
    #expect(machine.findings().packageManager == nil)
    for (name, manager) in [("apt", PackageManager.apt), ("pacman", .pacman), ("zypper", .zypper), ("dnf", .dnf)] {
      try machine.write("/bin/\(name)", isProgram: true)
      #expect(machine.findings().packageManager == manager)
    }
    try machine.write("/bin/rpm-ostree", isProgram: true)
    #expect(machine.findings().packageManager == .rpmOstree)
    // Debian has packages of the others.
    try machine.write("/etc/debian_version", "13.1\n")
    #expect(machine.findings().packageManager == .apt)
  }

  // MARK: Reports of users of other programs

  /// A manifest was in Brave's own folder, but Brave reads the one of Chrome.
  @Test func braveReadsTheHostsOfChrome() throws {
    try write("/opt/brave.com/brave", named: "brave", in: .chromium)
    try machine.writeHost("brave")
    try machine.writePolicy("brave")
    #expect(try machine.browser().host == .unknown)
    try machine.writeHost("opt/chrome")
    #expect(
      try machine.browser() == Verdict.Browser(name: "Brave", source: .chrome, hasExtension: true, host: .installed)
    )
  }

  /// Vivaldi found nothing where one release looked, and another looked elsewhere. So only all places together count.
  @Test func allPlacesOfVivaldiAreNeeded() throws {
    try write("/opt/vivaldi", named: "vivaldi-bin", in: .chromium)
    try machine.writeHost("opt/chrome")
    try machine.writePolicy("vivaldi")
    #expect(try machine.browser().hasExtension == false)
    try machine.writePolicy("chromium")
    #expect(try machine.browser().hasExtension)
    #expect(try machine.browser().host == .unknown)
    try machine.writeHost("chromium")
    #expect(try machine.browser().host == .installed)
  }

  /// Opera showed no policy that somebody had made for it.
  @Test func aPolicyForOperaIsNotTrusted() throws {
    try write("/usr/lib/opera", named: "opera", in: .chromium)
    try machine.writeHost("opt/chrome")
    for name in ["opera", "opt/opera", "chromium"] { try machine.writePolicy(name) }
    #expect(try machine.browser().hasExtension == false)
    #expect(try machine.browser().file == nil)
    try machine.write("/usr/share/baton/browser/baton.crx")
    try machine.write("/usr/share/chromium/extensions/baton/manifest.json")
    #expect(try machine.browser().file == "/usr/share/chromium/extensions/baton")
    #expect(machine.findings().all.first?.detail == "Opera isn't connected to Baton.")
  }

  /// LibreWolf didn't find what was installed for Firefox.
  @Test func libreWolfHasFoldersOfItsOwn() throws {
    try write("/usr/share/librewolf", named: "librewolf")
    try machine.write(
      "/usr/lib/mozilla/native-messaging-hosts/io.baton.browser.json",
      #"{"path": "/usr/lib/baton/host"}"#
    )
    try machine.write("/usr/lib/baton/host", isProgram: true)
    try machine.write("/etc/firefox/policies/policies.json", policy)
    #expect(try machine.browser() == Verdict.Browser(name: "LibreWolf", source: .signedFile))
    try machine.write("/home/.librewolf/a.default/extensions/handoff@baton.io.xpi")
    #expect(try machine.browser().host == .unknown)
    try machine.link("/home/.librewolf/native-messaging-hosts", to: "/usr/lib/mozilla/native-messaging-hosts")
    #expect(try machine.browser().host == .installed)
    try machine.remove("/home/.librewolf")
    try machine.write("/etc/librewolf/policies/policies.json", policy)
    try machine.link("/usr/lib/librewolf/native-messaging-hosts", to: "/usr/lib/mozilla/native-messaging-hosts")
    let own = Verdict.Browser(name: "LibreWolf", source: .signedFile, hasExtension: true, host: .installed)
    #expect(try machine.browser() == own)
  }

  private let policy =
    #"{"policies": {"ExtensionSettings": {"handoff@baton.io": {"installation_mode": "normal_installed"}}}}"#

  /// Policies for Firefox did nothing in a browser made from it, which takes the name in its own file.
  @Test(arguments: ["Floorp", "Waterfox", "Some-Fox", "../firefox", "", "Zen"])
  func relativesOfFirefoxReadPoliciesByTheirName(name: String) throws {
    try write("/opt/unknown", named: "unknown")
    try machine.write("/opt/unknown/application.ini", "[App]\nVendor=x\nName=\(name)\n")
    try machine.write("/etc/firefox/policies/policies.json", policy)
    let isFirefox = ["../firefox", ""].contains(name)
    #expect(try machine.browser().hasExtension == isFirefox)
    #expect(try machine.browser().source == (isFirefox ? .debian : .signedFile))
    guard !isFirefox else { return }
    try machine.write("/etc/\(name.lowercased())/policies/policies.json", policy)
    #expect(try machine.browser().hasExtension)
  }

  /// A profile that follows XDG moved, and the manifests of hosts didn't.
  @Test func theHostsOfFirefoxStayWhereTheyAreIfItsProfilesMove() throws {
    try write("/usr/lib/firefox", named: "firefox")
    try machine.write("/home/.config/mozilla/firefox/a/extensions/handoff@baton.io.xpi")
    try machine.write("/home/.config/mozilla/native-messaging-hosts/io.baton.browser.json", #"{"path": "/x"}"#)
    #expect(try machine.browser().host == .unknown)
    try machine.write("/home/.mozilla/native-messaging-hosts/io.baton.browser.json", #"{"path": "/x"}"#)
    #expect(try machine.browser().host == .missing(path: "/x"))
  }

  /// On Fedora, Firefox looks in `lib64`.
  @Test func manifestsInLib64AreFound() throws {
    try write("/usr/lib64/firefox", named: "firefox")
    try machine.write("/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/h@baton/manifest.json")
    try machine.write("/usr/lib64/mozilla/native-messaging-hosts/io.baton.browser.json", #"{"path": "/x"}"#)
    try machine.write("/x", isProgram: true)
    #expect(try machine.browser() == Verdict.Browser(name: "Firefox", hasExtension: true, host: .installed))
  }

  /// The snap of Firefox was called closed, although Ubuntu's portal starts hosts for it.
  @Test func theSnapOfFirefoxIsConnectedIfThePortalHasStartedTheHost() throws {
    try machine.write("/snap/bin/firefox", isProgram: true)
    #expect(machine.findings().all.map(\.outcome) == [.note])
    let portal = RunningProgram(process: 3, parent: 1, name: "xdg-desktop-por")
    let host = RunningProgram(process: 4, parent: 3, name: "baton", arguments: ["baton", "browser-host"])
    #expect(try machine.browser([portal, host]).isConnected == false, "It isn't running")
    let firefox = RunningProgram(process: 2, parent: 1, name: "firefox", executable: "/snap/firefox/1/firefox")
    #expect(try machine.browser([firefox, portal, host]).isConnected)
  }

  /// Relatives of Firefox in Flatpak have numbers of their own for versions.
  @Test func theVersionOfFirefoxCountsInRelatives() throws {
    let folder = "/var/lib/flatpak/app/app.zen_browser.zen/current/active/files/lib/zen"
    try machine.write("\(folder)/application.ini", "[App]\nVersion=1.20b\n")
    #expect(try machine.browser().sandbox == .tooOld)
    try machine.write("\(folder)/platform.ini", "[Build]\nMilestone=157.0.1\n")
    #expect(try machine.browser().sandbox == .noProxy)
  }

  /// A file of policies of an administrator that the package left alone made the extension missing without a reason.
  @Test func theFileThatFirefoxReadsInsteadIsNamed() throws {
    try machine.write("/opt/firefox", BrowserMachine.firefox + ["updater"], program: "firefox")
    #expect(try machine.browser().obstacle == nil)
    try machine.write("/usr/share/baton/browser/firefox-policy", isProgram: true)
    let script = "/usr/share/baton/browser/firefox-policy"
    #expect(try machine.browser().obstacle == .policies(path: nil, script: script))
    try machine.write("/opt/firefox/distribution/policies.json", #"{"policies": {}}"#)
    #expect(
      try machine.browser().obstacle == .policies(path: "/opt/firefox/distribution/policies.json", script: script)
    )
    try machine.write("/etc/firefox/policies/policies.json", policy)
    #expect(try machine.browser().obstacle == nil)
  }

  /// Debian's Chromium keeps its copy if an administrator replaces the policy, and loses it if one forbids everything.
  @Test func debiansChromiumIsLeftWithoutTheExtensionOnlyIfItIsForbidden() throws {
    try write("/usr/lib/chromium", named: "chromium", in: .chromium)
    try machine.write("/etc/chromium.d/x")
    try machine.write("/usr/share/chromium/extensions/baton/manifest.json")
    try machine.writeHost("chromium")
    try machine.writePolicy("chromium")
    let folder = "/etc/chromium/policies/managed"
    #expect(try machine.browser() == Verdict.Browser(name: "Chromium", hasExtension: true, host: .installed))
    try machine.write("\(folder)/all.json", #"{"ExtensionSettings": {"y": {"installation_mode": "blocked"}}}"#)
    #expect(try machine.browser().hasExtension)
    try machine.write("\(folder)/all.json", #"{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}"#)
    #expect(try machine.browser().hasExtension == false)
    #expect(try machine.browser().obstacle == .blocked(by: "\(folder)/all.json", id: machine.id))
  }
}
