// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import BatonAgent
import ControlInterface
import EventLoop
import Foundation
import TestSupport
import Testing

@testable import BatonCommand

/// What the doctor reads of the user's browsers, shells and editors.
@Suite(.isolated) final class ProgramFindingsTests {
  private let root = FileManager.default.temporaryDirectory.appending(path: "findings-\(UUID())").path

  init() throws { try FileManager.default.createDirectory(atPath: root + "/home", withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  private func write(_ path: String, _ text: String = "", isProgram: Bool = false) throws {
    let url = URL(filePath: root + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path) }
  }

  private func findings(_ programs: [RunningProgram] = [], caller: Int32 = 0) -> ProgramFindings {
    ProgramFindings(
      environment: ProcessEnvironment(["PATH": "\(root)/bin:\(root)/snap/bin", "HOME": "\(root)/home"]),
      running: RunningPrograms(programs),
      caller: caller,
      root: root
    )
  }

  @Test func whatIsNotInstalledIsNotMentioned() { #expect(findings().all == []) }

  @Test func withoutPathNothingIsKnown() {
    let nowhere = ProgramFindings(environment: ProcessEnvironment([:]), running: RunningPrograms([]), caller: 0)
    #expect(nowhere.program(["sh"]) == nil)
  }

  @Test func theFilesOfChromiumAreFound() throws {
    try write("/bin/chromium", isProgram: true)
    #expect(findings().browsers == [Verdict.Browser(name: "Chromium")])
    try write("/usr/share/chromium/extensions/baton/manifest.json")
    try write("/etc/chromium/native-messaging-hosts/io.baton.browser.json", #"{"path": "/usr/lib/baton/host"}"#)
    let missing = Verdict.Browser(name: "Chromium", hasExtension: true, host: .missing(path: "/usr/lib/baton/host"))
    #expect(findings().browsers == [missing])
    try write("/usr/lib/baton/host")
    #expect(findings().browsers == [missing], "It cannot be run")
    try write("/usr/lib/baton/host", isProgram: true)
    #expect(findings().browsers == [Verdict.Browser(name: "Chromium", hasExtension: true, host: .installed)])
    let browser = RunningProgram(process: 2, parent: 1, name: "chromium")
    let host = RunningProgram(process: 3, parent: 2, name: "baton", arguments: ["/usr/bin/baton", "browser-host"])
    #expect(findings([browser, host]).all.map(\.outcome) == [.passed])
    #expect(findings([browser]).all.map(\.outcome) == [.note])
  }

  @Test func theHostOfABrowserSaysWhyItsPageIsNotOffered() throws {
    try write("/bin/chromium", isProgram: true)
    let browser = RunningProgram(process: 2, parent: 1, name: "chromium")
    let host = RunningProgram(process: 3, parent: 2, name: "baton", arguments: ["/usr/bin/baton", "browser-host"])
    var findings = findings([browser, host])
    findings.environment = ProcessEnvironment(["PATH": "\(root)/bin", "XDG_RUNTIME_DIR": "\(root)/run"])
    let connected = "Chromium is connected to Baton."
    #expect(findings.all.map(\.detail).first == connected)
    try write("/run/baton-browser-4", "failed")
    try write("/run/baton-browser-3", "rm -rf /")
    #expect(findings.all.map(\.detail).first == connected)
    for page in WithheldPage.allCases {
      try write("/run/baton-browser-3", page.rawValue)
      #expect(findings.all.map(\.detail).first == "\(connected) \(page.explanation)")
    }
  }

  @Test(arguments: ["", "[]", "{}", #"{"path": 1}"#, String(repeating: "[", count: 10_000)])
  func aManifestThatNamesNoProgramIsNone(text: String) throws {
    try write("/bin/firefox-esr", isProgram: true)
    try write("/usr/lib/mozilla/native-messaging-hosts/io.baton.browser.json", text)
    #expect(findings().browsers == [Verdict.Browser(name: "Firefox")])
  }

  @Test func theExtensionOfFirefoxIsFoundInItsOddFolder() throws {
    try write("/bin/firefox", isProgram: true)
    let folder = "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
    try write("\(folder)/browser@baton.io/manifest.json")
    #expect(findings().browsers.map(\.hasExtension) == [true])
  }

  @Test func sandboxesAreTold() throws {
    try write("/snap/bin/firefox", isProgram: true)
    try write("/home/.local/share/flatpak/app/org.chromium.Chromium/current")
    #expect(
      findings().browsers == [
        Verdict.Browser(name: "Chromium", packaging: .flatpak, source: .chrome, sandbox: .closed),
        Verdict.Browser(name: "Firefox", packaging: .snap, source: .signedFile, sandbox: .untested),
      ]
    )
  }

  @Test func theCallingShellAndItsFilesAreRead() throws {
    let shell = RunningProgram(process: 7, parent: 1, name: "bash")
    let host = RunningProgram(process: 8, parent: 1, name: "baton", arguments: ["baton", "shell-host", "7"])
    #expect(findings([shell], caller: 7).shell?.outcome == .skipped)
    try write("/home/.bashrc", "# eval \"$(baton shell-init bash)\"\n  # baton shell-init bash\nbaton shell-init zsh\n")
    #expect(findings([shell], caller: 7).shell?.outcome == .skipped)
    try write("/home/.bashrc", "if true; then\n  eval \"$(baton shell-init bash)\"\nfi\n")
    #expect(findings([shell], caller: 7).shell?.outcome == .note)
    #expect(findings([shell, host], caller: 7).shell?.outcome == .note, "The host is that of another shell")
    try write("/run/user/\(getuid())/baton-shells/7", "/\0~/private:/etc\0HOME=/home\0\0")
    #expect(findings([shell], caller: 7).shell?.outcome == .note, "There is no host")
    #expect(findings([shell, host], caller: 7).shell?.outcome == .passed)
    try write("/run/user/\(getuid())/baton-shells/7", "/\0private\0\0\0")
    #expect(findings([shell, host], caller: 7).shell?.detail.contains("BATON_EXCLUDE") == true)
    #expect(findings([shell, host], caller: 1).shell?.detail == "The shell hook is in ~/.bashrc.")
    try write("/home/.config/fish/conf.d/baton.fish", "baton shell-init fish | source")
    #expect(findings().shell?.detail == "The shell hook is in ~/.bashrc, ~/.config/fish/conf.d/baton.fish.")
  }

  @Test func editorsAndTheirPluginsAreFound() throws {
    for editor in ["vim", "nvim", "emacs"] { try write("/bin/\(editor)", isProgram: true) }
    #expect(findings().editors.map(\.name) == ["Vim", "Neovim", "Emacs"])
    #expect(findings().editors.map(\.hasPlugin) == [false, false, false])
    try write("/home/.vim/pack/some/start/vim-baton/plugin/baton.vim")
    let vim = RunningProgram(process: 2, parent: 1, name: "vim")
    let host = RunningProgram(process: 3, parent: 2, name: "baton", arguments: ["/usr/bin/baton", "editor-host"])
    #expect(findings([vim, host]).editors.map(\.hasPlugin) == [true, false, false])
    #expect(findings([vim, host]).editors.map(\.isConnected) == [true, false, false])
  }

  @Test func emacsNeedsALineInItsInitFile() throws {
    try write("/bin/emacs", isProgram: true)
    try write("/usr/share/emacs/site-lisp/elpa/baton-0.1.0/baton.el")
    #expect(findings().editors.first?.missing == Verdict.Editor.Line("(baton-mode 1)", file: "~/.emacs.d/init.el"))
    try write("/home/.emacs", ";; (baton-mode 1)\n")
    #expect(findings().editors.first?.missing == Verdict.Editor.Line("(baton-mode 1)", file: "~/.emacs"))
    try write("/home/.emacs", "(require 'x)\n  (baton-mode 1)\n")
    #expect(findings().editors.first?.missing == nil)
    try write("/home/.emacs")
    try write("/etc/emacs/site-start.d/60site.el", "(baton-mode 1)")
    #expect(findings().editors.first?.missing == nil)
  }

  @Test func anEditorHasSeveralNames() throws {
    try write("/bin/vim", isProgram: true)
    let vi = RunningProgram(process: 2, parent: 1, name: "vi")
    let host = RunningProgram(process: 3, parent: 2, name: "baton", arguments: ["/usr/bin/baton", "editor-host"])
    #expect(findings([vi]).editors.map(\.isRunning) == [true])
    #expect(findings([vi, host]).editors.map(\.isConnected) == [true])
  }

  @Test func aPathIsNoPattern() throws {
    let home = root + "/home/[x]*"
    try write("/home/[x]*/.vim/plugin/baton.vim")
    try write("/home/xy/.vim/plugin/baton.vim")
    var findings = findings()
    findings.environment = ProcessEnvironment(["HOME": home])
    #expect(findings.files(["~/.vim/plugin/*"]) == [home + "/.vim/plugin/baton.vim"])
  }

  @Test func theKernelsTextIsRead() {
    let program = RunningProgram(process: 5, state: "5 (a) b (c)) S 42 5 5 0", commandLine: Array("x\0\0y z\0".utf8))
    #expect(program == RunningProgram(process: 5, parent: 42, name: "a) b (c)", arguments: ["x", "", "y z"]))
    #expect(RunningProgram(process: 5, state: "5 (a) S 1 5", commandLine: [])?.arguments == [])
    for state in ["", "5", "5 (a", "5 )a(", "5 (a) S", "5 (a) S x"] {
      #expect(RunningProgram(process: 5, state: state, commandLine: []) == nil)
    }
  }

  @Test func thisTestIsOneOfTheUsersPrograms() {
    #expect(RunningPrograms.ofThisUser().name(of: getpid())?.isEmpty == false)
  }

  // MARK: The clipboard

  @Test func aHelperBesideThisProgramIsFound() throws {
    var own = findings()
    own.prefix = "/opt/baton"
    #expect(!own.isInstalled("lib/baton/clipboard-helper"))
    try write("/opt/baton/lib/baton/clipboard-helper", isProgram: true)
    #expect(own.isInstalled("lib/baton/clipboard-helper") && !findings().isInstalled("lib/baton/clipboard-helper"))
  }

  private func clipboard(_ variables: [String: String], _ programs: [RunningProgram] = []) -> Diagnose.Reply? {
    let environment = ProcessEnvironment(variables.merging(["HOME": "\(root)/home"]) { first, _ in first })
    return ProgramFindings(environment: environment, running: RunningPrograms(programs), caller: 0, root: root)
      .clipboard
  }

  @Test func theClipboardCountsOnlyIfASettingSharesIt() throws {
    let wayland = ["WAYLAND_DISPLAY": "wayland-0"]
    #expect(clipboard(wayland) == nil)
    try write("/home/.config/baton/agent.conf", "[Clipboard]\nShareWith=all\n")
    for desktop in [wayland, ["DISPLAY": ":0"]] {
      #expect(clipboard(desktop)?.detail.contains("baton-clipboard isn't installed") == true)
    }
    #expect(clipboard([:])?.detail.contains("no desktop") == true)
    let helper = RunningProgram(process: 5, parent: 1, name: "clipboard-helpe")
    #expect(clipboard(["DISPLAY": ":0"], [helper])?.outcome == .passed)
    for (name, arguments, product) in [
      ("kdeconnectd", [], "KDE Connect"), ("input-leapc", [], "Input Leap"),
      ("spice-vdagent", [], "SPICE"), ("VBoxClient", [], "VirtualBox"), ("xrdp-chansrv", [], "xrdp"),
      (
        "gjs", ["gjs", "/usr/share/gnome-shell/extensions/gsconnect@andyholmes.github.io/service/daemon.js"],
        "GSConnect"
      ),
    ] {
      let mirror = RunningProgram(process: 6, parent: 1, name: name, arguments: arguments)
      let finding = clipboard(["DISPLAY": ":0"], [helper, mirror])
      #expect(finding?.outcome == .note)
      #expect(finding?.detail.contains(product) == true)
    }
  }
}
