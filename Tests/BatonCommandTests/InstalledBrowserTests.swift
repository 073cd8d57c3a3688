// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonCommand

/// Which browsers the doctor finds, wherever they are, and what it finds out about each.
@Suite(.isolated) final class InstalledBrowserTests {
  private let machine: BrowserMachine

  init() throws { machine = try BrowserMachine() }

  /// Each product names the file with its pictures after itself.
  @Test(arguments: [
    ("/opt/brave.com/brave", "brave", "Brave", "brave"), ("/opt/google/chrome", "chrome", "Google Chrome", "chrome"),
    ("/opt/google/chrome-beta", "chrome", "Google Chrome", "chrome"),
    ("/opt/vivaldi", "vivaldi-bin", "Vivaldi", "vivaldi"),
    ("/opt/microsoft/msedge", "msedge", "Microsoft Edge", "msedge"), ("/opt/opera", "opera", "Opera", "opera"),
    ("/usr/lib/x86_64-linux-gnu/opera", "opera", "Opera", "opera"), ("/opt/new", "new", "Chromium", "new"),
    ("/usr/lib64/chromium-browser", "chromium", "Chromium", "chrome"),
  ])
  func browsersAreFoundWhereTheirPackagesPutThem(folder: String, program: String, name: String, pack: String) throws {
    try machine.write(folder, ["resources.pak", "icudtl.dat", "\(pack)_100_percent.pak"], program: program)
    // Only a link leads there.
    if folder.contains("linux-gnu") { try machine.link("/bin/\(program)", to: "\(folder)/\(program)") }
    #expect(machine.titles == [name])
    #expect(machine.findings().browsers.map(\.source) == [name == "Opera" ? .folder : .chrome])
  }

  @Test func browsersAreFoundWherePeopleUnpackThem() throws {
    let folders = ["/home/firefox", "/home/My Browsers/firefox [159]*", "/home/.local/share/firefox", "/opt/firefox"]
    for folder in folders { try machine.write(folder, BrowserMachine.firefox + ["updater"], program: "firefox") }
    let expected = [
      "Firefox (/opt/firefox)", "Firefox (~/.local/share/firefox)", "Firefox (~/My Browsers/firefox [159]*)",
      "Firefox (~/firefox)",
    ]
    #expect(machine.titles.sorted() == expected)
    #expect(Set(machine.findings().browsers.map(\.source)) == [.firefox])
  }

  @Test func appsWithSimilarFilesAreNoBrowsers() throws {
    try machine.write("/opt/Editor", BrowserMachine.chromium + ["resources/app.asar"], program: "editor")
    try machine.write("/opt/other/Editor", BrowserMachine.chromium + ["resources/app/main.js"], program: "editor")
    try machine.write("/opt/music", BrowserMachine.chromium + ["libcef.so"], program: "music")
    try machine.write("/opt/mail", ["application.ini", "omni.ja"], program: "mail")
    // An extension would show others who somebody is.
    try machine.write("/home/tor-browser/Browser", BrowserMachine.firefox + ["TorBrowser/x"], program: "firefox")
    try machine.write("/opt/mullvad/Browser", BrowserMachine.firefox, program: "mullvadbrowser")
    #expect(machine.titles == [])
  }

  @Test func aBrowserIsFoundOnceHoweverManyWaysLeadToIt() throws {
    try machine.write("/usr/lib/firefox-esr", BrowserMachine.firefox, program: "firefox-esr")
    let script = "#!/bin/sh\nFOO=1\nexec \"/usr/lib/firefox-esr/firefox-esr\" \"$@\"\n"
    try machine.write("/bin/firefox", script, isProgram: true)
    try machine.link("/etc/alternatives/x-www-browser", to: "/bin/firefox")
    try machine.write("/usr/share/applications/a.desktop", machine.entry("env A=b \(machine.root)/bin/firefox %u"))
    #expect(machine.titles == ["Firefox"])
    #expect(machine.findings().browsers.map(\.source) == [.debian])
  }

  @Test func desktopEntriesAndRunningProgramsLeadToOthers() throws {
    try machine.write("/srv/deep/down/there/brave", BrowserMachine.chromium, program: "start")
    try machine.write("/srv/deep/down/here", BrowserMachine.firefox, program: "firefox")
    #expect(machine.titles == [])
    let entry = machine.entry("\(machine.root)/srv/deep/down/there/brave/start %U")
    try machine.write("/home/.local/share/applications/x.desktop", entry)
    let program = RunningProgram(
      process: 2,
      parent: 1,
      name: "firefox",
      executable: "\(machine.root)/srv/deep/down/here/firefox"
    )
    let browsers = machine.findings([program]).browsers
    #expect(browsers.map(\.title) == ["Brave (/srv/deep/down/there/brave)", "Firefox (/srv/deep/down/here)"])
    #expect(browsers.map(\.isRunning) == [false, true])
    for text in ["", "[Desktop Entry]\n", "\u{FF}", machine.entry(""), machine.entry("\"")] {
      try machine.write("/home/.local/share/applications/y.desktop", text)
      #expect(machine.findings([program]).browsers.count == 2)
    }
  }

  /// Ubuntu's packages of browsers contain only this.
  @Test func aScriptThatStartsASnapIsNoOtherBrowser() throws {
    try machine.write("/bin/firefox", "#!/bin/sh\nexec /snap/bin/firefox \"$@\"\n", isProgram: true)
    try machine.write("/bin/brave-browser", "#!/bin/sh\nexec flatpak run com.brave.Browser \"$@\"\n", isProgram: true)
    try machine.write("/snap/bin/firefox", isProgram: true)
    #expect(machine.findings(path: "/bin:\(machine.root)/snap/bin").browsers.map(\.packaging) == [.snap])
  }

  @Test func otherFoldersThanTheFirstOnesAreAlsoFound() throws {
    for number in 0..<3 { try machine.write("/home/Mail/\(number)") }
    try machine.write("/opt/vivaldi", ["icudtl.dat", "vivaldi_100_percent.pak"], program: "vivaldi-bin")
    try machine.write("/home/Downloads/chrome-linux", BrowserMachine.chromium, program: "chrome")
    #expect(machine.titles == ["Chromium (~/Downloads/chrome-linux)", "Vivaldi"])
  }

  @Test func ofTwoBrowsersTheOneThatRunsIsConnected() throws {
    for folder in ["/opt/firefox", "/home/firefox"] {
      try machine.write(folder, BrowserMachine.firefox, program: "firefox")
    }
    let programs = [
      RunningProgram(process: 2, parent: 1, name: "firefox", executable: "\(machine.root)/home/firefox/firefox"),
      RunningProgram(process: 3, parent: 2, name: "sh", executable: "/bin/dash"),
      RunningProgram(process: 4, parent: 3, name: "baton", arguments: ["/usr/bin/baton", "browser-host"]),
    ]
    let browsers = machine.findings(programs).browsers
    #expect(browsers.filter(\.isConnected).map(\.title) == ["Firefox (~/firefox)"])
    #expect(browsers.filter(\.isRunning).map(\.title) == ["Firefox (~/firefox)"])
  }

  // MARK: The extension

  @Test func policiesGiveTheExtension() throws {
    try machine.write("/opt/brave.com/brave", BrowserMachine.chromium, program: "brave")
    #expect(machine.findings().browsers.map(\.hasExtension) == [false])
    try machine.writeHost("opt/chrome")
    try machine.writePolicy("brave")
    let brave = Verdict.Browser(name: "Brave", source: .chrome, hasExtension: true, host: .installed)
    #expect(machine.findings().browsers == [brave])
    // One of an administrator's policies leaves the others.
    let folder = "/etc/brave/policies/managed"
    try machine.write("\(folder)/zz.json", #"{"ExtensionInstallForcelist": [], "ExtensionInstallBlocklist": ["*"]}"#)
    #expect(machine.findings().browsers == [brave])
    try machine.write("\(folder)/all.json", #"{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}"#)
    #expect(try machine.browser().hasExtension == false)
    #expect(try machine.browser().obstacle == .blocked(by: "\(folder)/all.json", id: machine.id))
    try machine.remove("\(folder)/zz.json")
    try machine.write("\(folder)/all.json", #"{"ExtensionSettings": {}}"#)
    #expect(try machine.browser().obstacle == .replaced(by: "\(folder)/all.json"))
    // What Chromium cannot read does not count.
    try machine.write("\(folder)/all.json", #"{"ExtensionSettings": {"#)
    #expect(machine.findings().browsers == [brave])
    // From a store.
    try machine.remove("/etc/brave/policies")
    #expect(machine.findings().browsers.map(\.hasExtension) == [false])
    try machine.write("/home/.config/BraveSoftware/Brave-Browser/Profile 1/Extensions/\(machine.id)/1/manifest.json")
    #expect(machine.findings().browsers == [brave])
  }

  @Test func mozillasBuildsNeedThePolicy() throws {
    try machine.write("/home/firefox", BrowserMachine.firefox + ["updater"], program: "firefox")
    try machine.write("/usr/lib/firefox", BrowserMachine.firefox, program: "firefox")
    try machine.write(
      "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/handoff@baton.io/manifest.json"
    )
    func have() -> [Bool] { machine.findings().browsers.sorted { $0.title < $1.title }.map(\.hasExtension) }
    #expect(machine.findings().browsers.map(\.title).sorted() == ["Firefox (/usr/lib/firefox)", "Firefox (~/firefox)"])
    #expect(have() == [true, false])
    let settings = #"{"installation_mode": "normal_installed", "install_url": "file:///usr/share/x.xpi"}"#
    let policy = #"{"policies": {"ExtensionSettings": {"handoff@baton.io": \#(settings)}}}"#
    try machine.write("/home/firefox/distribution/policies.json", policy)
    #expect(have() == [true, false], "The file that it names is missing")
    try machine.write("/usr/share/x.xpi")
    #expect(have() == [true, true])
    // Then Firefox does not read the other.
    try machine.write("/etc/firefox/policies/policies.json", #"{"policies": {}}"#)
    #expect(have() == [true, false])
    try machine.write("/etc/firefox/policies/policies.json", policy)
    #expect(have() == [true, true])
  }

  @Test func aFlatpakOfFirefoxNeedsANewVersionAndTheProxy() throws {
    let app = "/var/lib/flatpak/app/org.mozilla.firefox"
    try machine.write("\(app)/current/active/files/lib/firefox/application.ini", "[App]\nVersion=156.0.2\n")
    #expect(machine.findings().browsers.map(\.sandbox) == [.tooOld])
    try machine.write("\(app)/current/active/files/lib/firefox/application.ini", "[App]\nVersion=157.0\n")
    #expect(machine.findings().browsers.map(\.sandbox) == [.noProxy])
    try machine.write("/usr/share/dbus-1/services/org.freedesktop.NativeMessagingProxy.service")
    #expect(machine.findings().browsers.map(\.sandbox) == [nil])
    try machine.write("/home/.var/app/org.mozilla.firefox/.mozilla/firefox/x.default/extensions/handoff@baton.io.xpi")
    try machine.write(
      "/usr/lib/mozilla/native-messaging-hosts/io.baton.browser.json",
      #"{"path": "/usr/lib/baton/host"}"#
    )
    try machine.write("/usr/lib/baton/host", isProgram: true)
    let programs = [
      RunningProgram(process: 2, parent: 1, name: "firefox", flatpak: "org.mozilla.firefox"),
      RunningProgram(process: 3, parent: 1, name: "xdg-native-mess"),
      RunningProgram(process: 4, parent: 3, name: "baton", arguments: ["baton", "browser-host"]),
    ]
    #expect(machine.findings().all.map(\.outcome) == [.passed])
    #expect(machine.findings(Array(programs.prefix(1))).all.map(\.outcome) == [.note])
    #expect(machine.findings(programs).browsers.map(\.isConnected) == [true])
  }

  @Test func otherFlatpaksAndSnapsAreFoundByTheirDesktopEntries() throws {
    let flatpak = "/home/.local/share/flatpak"
    try machine.write("\(flatpak)/app/org.example.Foxy/current/x")
    try machine.write("\(flatpak)/app/org.example.Editor/current/x")
    try machine.write(
      "\(flatpak)/exports/share/applications/org.example.Foxy.desktop",
      machine.entry("/usr/bin/flatpak run x")
    )
    try machine.write("/var/lib/snapd/desktop/applications/brave_brave.desktop", machine.entry("/snap/bin/brave %U"))
    try machine.write("/etc/flatpak/installations.d/more.conf", "[Installation \"more\"]\nPath=/srv/flatpak\n")
    try machine.write("/srv/flatpak/app/com.google.Chrome/current/x")
    let found = machine.findings().browsers.map { "\($0.name) \($0.packaging)" }
    #expect(found == ["Brave snap", "Firefox flatpak", "Google Chrome flatpak"])
    #expect(machine.findings().browsers.allSatisfy { $0.sandbox != nil })
  }

  @Test func theKernelsTextOfAFlatpakIsRead() {
    #expect(RunningPrograms.flatpak(Array("[Application]\nname=org.a.B\nruntime=x\n".utf8)) == "org.a.B")
    #expect(RunningPrograms.flatpak([0xFF, 0x0A]) == nil)
    let program = RunningProgram(process: 5, state: "5 (a) S 1 5", commandLine: [], executable: "/a b (deleted)")
    #expect(program?.executable == "/a b")
  }
}
