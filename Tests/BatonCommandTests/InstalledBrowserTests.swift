// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonCommand

/// Which browsers the doctor finds, wherever they are, and what it finds out about each.
@Suite(.isolated) final class InstalledBrowserTests {
  private let root: String
  private let id = String(repeating: "a", count: 32)
  private static let chromium = ["resources.pak", "icudtl.dat", "chrome_100_percent.pak"]
  private static let firefox = ["application.ini", "omni.ja", "browser/omni.ja"]

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "browsers-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    root = try #require(SymbolicLink.resolved(folder))
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func write(_ path: String, _ text: String = "", isProgram: Bool = false) throws {
    let url = URL(filePath: root + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path) }
  }

  private func write(_ folder: String, _ files: [String], program: String) throws {
    for file in files { try write("\(folder)/\(file)") }
    try write("\(folder)/\(program)", isProgram: true)
  }

  private func findings(_ programs: [RunningProgram] = [], path: String = "/bin") -> ProgramFindings {
    ProgramFindings(
      environment: ProcessEnvironment(["PATH": root + path, "HOME": "\(root)/home"]),
      running: RunningPrograms(programs),
      caller: 0,
      root: root
    )
  }

  private var titles: [String] { findings().browsers.map(\.title) }

  @Test(arguments: [
    ("/opt/brave.com/brave", "brave", "Brave"), ("/opt/google/chrome", "chrome", "Google Chrome"),
    ("/opt/google/chrome-beta", "chrome", "Google Chrome"), ("/opt/microsoft/msedge", "msedge", "Microsoft Edge"),
    ("/opt/vivaldi", "vivaldi-bin", "Vivaldi"), ("/opt/opera", "opera", "Opera"),
    ("/usr/lib/x86_64-linux-gnu/opera", "opera", "Opera"), ("/usr/lib64/chromium-browser", "chromium", "Chromium"),
  ])
  func browsersAreFoundWhereTheirPackagesPutThem(folder: String, program: String, name: String) throws {
    try write(folder, Self.chromium, program: program)
    if folder.contains("linux-gnu") {
      // Only a link leads there.
      try write("/bin/.keep")
      try FileManager.default.createSymbolicLink(
        atPath: root + "/bin/\(program)",
        withDestinationPath: "\(root)\(folder)/\(program)"
      )
    }
    #expect(titles == [name])
    #expect(findings().browsers.map(\.source) == [.chrome])
  }

  @Test func browsersAreFoundWherePeopleUnpackThem() throws {
    let folders = ["/home/firefox", "/home/My Browsers/firefox [159]*", "/home/.local/share/firefox", "/opt/firefox"]
    for folder in folders { try write(folder, Self.firefox + ["updater"], program: "firefox") }
    let expected = [
      "Firefox (/opt/firefox)", "Firefox (~/.local/share/firefox)", "Firefox (~/My Browsers/firefox [159]*)",
      "Firefox (~/firefox)",
    ]
    #expect(titles.sorted() == expected)
    #expect(Set(findings().browsers.map(\.source)) == [.firefox])
  }

  @Test func appsWithSimilarFilesAreNoBrowsers() throws {
    try write("/opt/Editor", Self.chromium + ["resources/app.asar"], program: "editor")
    try write("/opt/other/Editor", Self.chromium + ["resources/app/main.js"], program: "editor")
    try write("/opt/music", Self.chromium + ["libcef.so"], program: "music")
    try write("/opt/mail", ["application.ini", "omni.ja"], program: "mail")
    // An extension would show others who somebody is.
    try write("/home/tor-browser/Browser", Self.firefox + ["TorBrowser/x"], program: "firefox")
    #expect(titles == [])
  }

  @Test func aBrowserIsFoundOnceHoweverManyWaysLeadToIt() throws {
    try write("/usr/lib/firefox-esr", Self.firefox, program: "firefox-esr")
    try write("/bin/firefox", "#!/bin/sh\nFOO=1\nexec \"/usr/lib/firefox-esr/firefox-esr\" \"$@\"\n", isProgram: true)
    try write("/etc/alternatives/.keep")
    try FileManager.default.createSymbolicLink(
      atPath: root + "/etc/alternatives/x-www-browser",
      withDestinationPath: root + "/bin/firefox"
    )
    try write("/usr/share/applications/a.desktop", entry("env A=b \(root)/bin/firefox %u"))
    #expect(titles == ["Firefox"])
    #expect(findings().browsers.map(\.source) == [.debian])
  }

  private func entry(_ exec: String) -> String {
    "[Desktop Entry]\nType=Application\nName=B\nExec=\(exec)\nCategories=Network;WebBrowser;\n"
  }

  @Test func desktopEntriesAndRunningProgramsLeadToOthers() throws {
    try write("/srv/deep/down/there/brave", Self.chromium, program: "start")
    try write("/srv/deep/down/here", Self.firefox, program: "firefox")
    #expect(titles == [])
    try write("/home/.local/share/applications/x.desktop", entry("\(root)/srv/deep/down/there/brave/start %U"))
    let program = RunningProgram(
      process: 2,
      parent: 1,
      name: "firefox",
      executable: "\(root)/srv/deep/down/here/firefox"
    )
    let browsers = findings([program]).browsers
    #expect(browsers.map(\.title) == ["Brave (/srv/deep/down/there/brave)", "Firefox (/srv/deep/down/here)"])
    #expect(browsers.map(\.isRunning) == [false, true])
    for text in ["", "[Desktop Entry]\n", "\u{FF}", entry(""), entry("\"")] {
      try write("/home/.local/share/applications/y.desktop", text)
      #expect(findings([program]).browsers.count == 2)
    }
  }

  /// Ubuntu's packages of browsers contain only this.
  @Test func aScriptThatStartsASnapIsNoOtherBrowser() throws {
    try write("/bin/firefox", "#!/bin/sh\nexec /snap/bin/firefox \"$@\"\n", isProgram: true)
    try write("/bin/brave-browser", "#!/bin/sh\nexec flatpak run com.brave.Browser \"$@\"\n", isProgram: true)
    try write("/snap/bin/firefox", isProgram: true)
    #expect(findings(path: "/bin:\(root)/snap/bin").browsers.map(\.packaging) == [.snap])
  }

  @Test func otherFoldersThanTheFirstOnesAreAlsoFound() throws {
    for number in 0..<3 { try write("/home/Mail/\(number)") }
    try write("/opt/vivaldi", ["icudtl.dat", "vivaldi_100_percent.pak"], program: "vivaldi-bin")
    try write("/home/Downloads/chrome-linux", Self.chromium, program: "chrome")
    #expect(titles == ["Chromium (~/Downloads/chrome-linux)", "Vivaldi"])
  }

  @Test func ofTwoBrowsersTheOneThatRunsIsConnected() throws {
    for folder in ["/opt/firefox", "/home/firefox"] { try write(folder, Self.firefox, program: "firefox") }
    let programs = [
      RunningProgram(process: 2, parent: 1, name: "firefox", executable: "\(root)/home/firefox/firefox"),
      RunningProgram(process: 3, parent: 2, name: "sh", executable: "/bin/dash"),
      RunningProgram(process: 4, parent: 3, name: "baton", arguments: ["/usr/bin/baton", "browser-host"]),
    ]
    let browsers = findings(programs).browsers
    #expect(browsers.filter(\.isConnected).map(\.title) == ["Firefox (~/firefox)"])
    #expect(browsers.filter(\.isRunning).map(\.title) == ["Firefox (~/firefox)"])
  }

  // MARK: The extension

  private func writeHost(_ configuration: String) throws {
    let manifest = #"{"path": "/usr/lib/baton/browser-host", "allowed_origins": ["chrome-extension://\#(id)/"]}"#
    try write("/etc/\(configuration)/native-messaging-hosts/io.baton.browser.json", manifest)
    try write("/usr/lib/baton/browser-host", isProgram: true)
  }

  @Test func policiesGiveTheExtension() throws {
    try write("/opt/brave.com/brave", Self.chromium, program: "brave")
    #expect(findings().browsers.map(\.hasExtension) == [false])
    try writeHost("brave")
    let own = #""ExtensionSettings": {"\#(id)": {"installation_mode": "normal_installed"}}"#
    let list = #""ExtensionInstallForcelist": ["\#(id);file:///x"]"#
    try write("/etc/brave/policies/managed/!baton.json", "{\(own), \(list)}")
    let brave = Verdict.Browser(name: "Brave", source: .chrome, hasExtension: true, host: .installed)
    #expect(findings().browsers == [brave])
    // One of an administrator's policies leaves the other.
    let blocked = #"{"ExtensionSettings": {"*": {"installation_mode": "blocked"}}}"#
    try write("/etc/brave/policies/managed/all.json", blocked)
    #expect(findings().browsers == [brave])
    try write("/etc/brave/policies/managed/zz.json", #"{"ExtensionInstallForcelist": []}"#)
    #expect(findings().browsers.map(\.hasExtension) == [false])
    #expect(findings().browsers.first?.replacedBy?.hasPrefix("/etc/brave/policies/managed/") == true)
    // What Chromium cannot read does not count.
    try write("/etc/brave/policies/managed/zz.json", #"{"ExtensionInstallForcelist": ["#)
    #expect(findings().browsers == [brave])
    // From a store.
    try FileManager.default.removeItem(atPath: root + "/etc/brave/policies")
    #expect(findings().browsers.map(\.hasExtension) == [false])
    try write("/home/.config/BraveSoftware/Brave-Browser/Profile 1/Extensions/\(id)/1/manifest.json")
    #expect(findings().browsers == [brave])
  }

  @Test func mozillasBuildsNeedThePolicy() throws {
    try write("/home/firefox", Self.firefox + ["updater"], program: "firefox")
    try write("/usr/lib/firefox", Self.firefox, program: "firefox")
    try write("/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}/handoff@baton.io/manifest.json")
    func have() -> [Bool] { findings().browsers.sorted { $0.title < $1.title }.map(\.hasExtension) }
    #expect(findings().browsers.map(\.title).sorted() == ["Firefox (/usr/lib/firefox)", "Firefox (~/firefox)"])
    #expect(have() == [true, false])
    let settings = #"{"installation_mode": "normal_installed", "install_url": "file:///usr/share/x.xpi"}"#
    let policy = #"{"policies": {"ExtensionSettings": {"handoff@baton.io": \#(settings)}}}"#
    try write("/home/firefox/distribution/policies.json", policy)
    #expect(have() == [true, false], "The file that it names is missing")
    try write("/usr/share/x.xpi")
    #expect(have() == [true, true])
    // Then Firefox does not read the other.
    try write("/etc/firefox/policies/policies.json", #"{"policies": {}}"#)
    #expect(have() == [true, false])
    try write("/etc/firefox/policies/policies.json", policy)
    #expect(have() == [true, true])
  }

  @Test func aFlatpakOfFirefoxNeedsANewVersionAndTheProxy() throws {
    let app = "/var/lib/flatpak/app/org.mozilla.firefox"
    try write("\(app)/current/active/files/lib/firefox/application.ini", "[App]\nVersion=156.0.2\n")
    #expect(findings().browsers.map(\.sandbox) == [.tooOld])
    try write("\(app)/current/active/files/lib/firefox/application.ini", "[App]\nVersion=157.0\n")
    #expect(findings().browsers.map(\.sandbox) == [.noProxy])
    try write("/usr/share/dbus-1/services/org.freedesktop.NativeMessagingProxy.service")
    #expect(findings().browsers.map(\.sandbox) == [nil])
    try write("/home/.var/app/org.mozilla.firefox/.mozilla/firefox/x.default/extensions/handoff@baton.io.xpi")
    try write("/usr/lib/mozilla/native-messaging-hosts/io.baton.browser.json", #"{"path": "/usr/lib/baton/host"}"#)
    try write("/usr/lib/baton/host", isProgram: true)
    let programs = [
      RunningProgram(process: 2, parent: 1, name: "firefox", flatpak: "org.mozilla.firefox"),
      RunningProgram(process: 3, parent: 1, name: "xdg-native-mess"),
      RunningProgram(process: 4, parent: 3, name: "baton", arguments: ["baton", "browser-host"]),
    ]
    #expect(findings().all.map(\.outcome) == [.passed])
    #expect(findings(Array(programs.prefix(1))).all.map(\.outcome) == [.note])
    #expect(findings(programs).browsers.map(\.isConnected) == [true])
  }

  @Test func otherFlatpaksAndSnapsAreFoundByTheirDesktopEntries() throws {
    let flatpak = "/home/.local/share/flatpak"
    try write("\(flatpak)/app/org.example.Foxy/current/x")
    try write("\(flatpak)/app/org.example.Editor/current/x")
    try write("\(flatpak)/exports/share/applications/org.example.Foxy.desktop", entry("/usr/bin/flatpak run x"))
    try write("/var/lib/snapd/desktop/applications/brave_brave.desktop", entry("/snap/bin/brave %U"))
    try write("/etc/flatpak/installations.d/more.conf", "[Installation \"more\"]\nPath=/srv/flatpak\n")
    try write("/srv/flatpak/app/com.google.Chrome/current/x")
    let found = findings().browsers.map { "\($0.name) \($0.packaging)" }
    #expect(found == ["Brave snap", "Firefox flatpak", "Google Chrome flatpak"])
    #expect(findings().browsers.allSatisfy { $0.sandbox != nil })
  }

  @Test func theKernelsTextOfAFlatpakIsRead() {
    #expect(RunningPrograms.flatpak(Array("[Application]\nname=org.a.B\nruntime=x\n".utf8)) == "org.a.B")
    #expect(RunningPrograms.flatpak([0xFF, 0x0A]) == nil)
    let program = RunningProgram(process: 5, state: "5 (a) S 1 5", commandLine: [], executable: "/a b (deleted)")
    #expect(program?.executable == "/a b")
  }
}
