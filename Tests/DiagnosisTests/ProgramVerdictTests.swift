// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import Testing

@Suite struct BrowserVerdictTests {
  private func browser(
    _ packaging: Verdict.Browser.Packaging = .native,
    source: Verdict.Browser.Source = .debian,
    file: String? = nil,
    sandbox: Verdict.Browser.Sandbox? = nil,
    obstacle: Verdict.Browser.Obstacle? = nil,
    hasExtension: Bool = true,
    host: Verdict.Browser.Host = .installed,
    isRunning: Bool = false,
    isConnected: Bool = false,
    packages: PackageManager? = .apt
  ) -> Verdict.Finding {
    Verdict.browser(
      Verdict.Browser(
        name: "Chromium",
        packaging: packaging,
        source: source,
        file: file,
        sandbox: sandbox,
        hasExtension: hasExtension,
        obstacle: obstacle,
        host: host,
        isRunning: isRunning,
        isConnected: isConnected
      ),
      packages
    )
  }

  @Test func aBrowserThatIsConnectedIsWellHoweverItGotTheExtension() {
    check(browser(isConnected: true), .passed, nil)
    check(browser(hasExtension: false, host: .unknown, isConnected: true), .passed, nil)
  }

  @Test func aBrowserThatDoesNotRunIsWell() {
    let finding = browser()
    check(finding, .passed, nil)
    #expect(finding.detail.contains("isn't running"))
  }

  @Test func aBrowserThatRunsAndIsNotConnectedIsNotCalledBroken() {
    let finding = browser(isRunning: true)
    check(finding, .note, nil)
    #expect(finding.advice?.contains("restart") == true)
  }

  @Test func nobodyHasToHaveTheExtension() {
    let finding = browser(hasExtension: false)
    check(finding, .skipped, nil)
    #expect(finding.advice?.contains("baton-browser") == true)
  }

  @Test func aHostThatCannotRunIsNamed() {
    let finding = browser(host: .missing(path: "/gone/host"), isRunning: true)
    check(finding, .failed, .launchFailed)
    #expect(finding.detail.contains("/gone/host") && finding.advice != nil)
    check(browser(host: .unknown), .failed, .launchFailed)
  }

  @Test(arguments: [Verdict.Browser.Packaging.flatpak, .snap])
  func aSandboxIsNamedWithWhatToDo(packaging: Verdict.Browser.Packaging) {
    let finding = browser(packaging, sandbox: .closed)
    check(finding, .note, nil)
    #expect(finding.detail.contains(packaging.rawValue) && finding.advice?.contains("Chromium from a package") == true)
    check(browser(packaging, sandbox: .closed, isConnected: true), .passed, nil)
  }

  @Test func aFlatpakThatCouldStartBatonSaysWhatItNeeds() {
    check(browser(.flatpak, sandbox: .tooOld), .note, nil)
    let finding = browser(.flatpak, sandbox: .noProxy)
    check(finding, .note, nil)
    #expect(finding.advice?.contains("xdg-native-messaging-proxy") == true)
    check(browser(.flatpak), .passed, nil)
  }

  @Test func aSnapOfFirefoxIsCalledUntested() {
    let finding = browser(.snap, sandbox: .untested)
    check(finding, .note, nil)
    #expect(finding.advice?.contains("hasn't been tested") == true)
  }

  @Test(arguments: Verdict.Browser.Source.allCases)
  func thePackageForTheBrowserIsNamed(source: Verdict.Browser.Source) {
    for packages in [nil] + PackageManager.allCases {
      let finding = browser(source: source, hasExtension: false, packages: packages)
      check(finding, .skipped, nil)
      // Only Debian has a package with the file for Firefox.
      let isFile = source.package == "baton-browser-firefox" && packages != .apt
      let command =
        isFile ? "baton-*.xpi" : packages?.install(source.package) ?? "install the package \(source.package)"
      #expect(finding.advice?.contains(command) == true)
    }
  }

  @Test func whatAPersonOpensIsNamed() {
    let signed = browser(.flatpak, source: .signedFile, file: "/usr/share/x.xpi", hasExtension: false)
    check(signed, .skipped, nil)
    #expect(signed.advice?.contains("about:addons") == true && signed.advice?.contains("/usr/share/x.xpi") == true)
    // Nobody sees whether a folder is loaded, so the extension isn't called missing.
    let folder = browser(source: .folder, file: "/usr/share/y", hasExtension: false)
    check(folder, .note, nil)
    #expect(folder.detail.contains("isn't connected") && folder.advice?.contains("/usr/share/y") == true)
  }

  @Test func whatKeepsTheExtensionFromABrowserIsNamed() {
    let replaced = browser(obstacle: .replaced(by: "/etc/brave/policies/managed/all.json"), hasExtension: false)
    check(replaced, .note, nil)
    #expect(replaced.detail.contains("all.json replaces") && replaced.advice?.contains("all.json") == true)
    let blocked = browser(obstacle: .blocked(by: "/etc/all.json", id: "abc"), hasExtension: false)
    check(blocked, .note, nil)
    #expect(blocked.detail.contains("/etc/all.json blocks it") && blocked.advice?.contains("abc") == true)
    for (path, words) in [("/opt/firefox/distribution/policies.json", "/opt/firefox"), (nil, "its policies")] {
      let policies = browser(obstacle: .policies(path: path, script: "/usr/x/firefox-policy"), hasExtension: false)
      check(policies, .note, nil)
      #expect(policies.detail.contains(words) && policies.advice?.contains("sudo /usr/x/firefox-policy add") == true)
    }
  }

  /// The package for other browsers brings the manifests for those, and the other one the program that they start.
  @Test func thePackageThatIsBrokenIsNamed() {
    func advice(_ source: Verdict.Browser.Source, _ host: Verdict.Browser.Host, _ packages: PackageManager?) -> String?
    {
      browser(source: source, host: host, packages: packages).advice
    }
    #expect(advice(.chrome, .unknown, .apt)?.contains("--force-confmiss baton-browser-chrome_*.deb") == true)
    #expect(advice(.chrome, .missing(path: "/x"), .dnf)?.contains("dnf reinstall ./baton-browser-[0-9]*.rpm") == true)
    #expect(advice(.debian, .unknown, .pacman)?.contains("pacman -U baton-browser-[0-9]*") == true)
    #expect(advice(.debian, .unknown, nil)?.contains("Browser.md") == true)
  }
}

@Suite struct ShellVerdictTests {
  private let files = [
    Verdict.ShellFile(.bash, "~/.bashrc", hasHook: false), Verdict.ShellFile(.bash, "/etc/bash.bashrc", hasHook: true),
    Verdict.ShellFile(.zsh, "~/.zshrc", hasHook: false), Verdict.ShellFile(.fish, "~/.config/fish/x", hasHook: true),
  ]

  @Test func theCallingShellIsMeant() throws {
    check(try #require(Verdict.shell(.zsh, hasHost: true, files: files)), .passed, nil)
    let zsh = try #require(Verdict.shell(.zsh, hasHost: false, files: files))
    check(zsh, .skipped, nil)
    #expect(zsh.advice?.hasSuffix("~/.zshrc: eval \"$(baton shell-init zsh)\"") == true)
    let fish = try #require(Verdict.shell(.fish, hasHost: false, files: []))
    #expect(fish.advice?.hasSuffix("baton shell-init fish | source") == true)
  }

  @Test func aHookThatDidNotStartIsNoted() throws {
    let finding = try #require(Verdict.shell(.bash, hasHost: false, files: files))
    check(finding, .note, nil)
    #expect(finding.detail.contains("/etc/bash.bashrc") && !finding.detail.contains("fish"))
  }

  @Test func aKernelThatAllowsNoMoreWatchesIsNoted() throws {
    let finding = try #require(Verdict.shell(.bash, hasHost: false, canWatch: false, files: files))
    check(finding, .note, nil)
    #expect(finding.advice?.contains("max_user_instances") == true)
    check(try #require(Verdict.shell(.bash, hasHost: true, canWatch: false, files: files)), .passed, nil)
  }

  @Test func aListThatCannotBeReadIsNoted() throws {
    let finding = try #require(Verdict.shell(.bash, hasHost: true, isReadable: false, files: files))
    check(finding, .note, nil)
    #expect(finding.detail.contains("BATON_EXCLUDE"))
  }

  @Test func fromAnotherProgramOnlyTheFilesAreKnown() {
    #expect(
      Verdict.shell(nil, hasHost: false, files: files)?.detail
        == "The shell hook is in /etc/bash.bashrc, ~/.config/fish/x."
    )
    #expect(Verdict.shell(nil, hasHost: false, files: [files[0]]) == nil)
  }
}

@Suite struct EditorVerdictTests {
  private func editor(
    hasPlugin: Bool = true,
    missing: Verdict.Editor.Line? = nil,
    isRunning: Bool = false,
    isConnected: Bool = false
  ) -> Verdict.Finding {
    Verdict.editor(
      Verdict.Editor(
        name: "Emacs",
        hasPlugin: hasPlugin,
        missing: missing,
        isRunning: isRunning,
        isConnected: isConnected
      ),
      .apt
    )
  }

  @Test func whatIsThereIsSaid() {
    check(editor(), .passed, nil)
    check(editor(isRunning: true, isConnected: true), .passed, nil)
    check(editor(isRunning: true), .note, nil)
    let missing = editor(hasPlugin: false)
    check(missing, .skipped, nil)
    #expect(missing.advice?.contains("baton-editors") == true)
  }

  @Test func aPluginThatNothingTurnsOnIsNotCalledWell() {
    let line = Verdict.Editor.Line("(baton-mode 1)", file: "~/.emacs")
    for isRunning in [true, false] {
      let finding = editor(missing: line, isRunning: isRunning)
      check(finding, .skipped, nil)
      #expect(finding.advice?.hasSuffix("~/.emacs: (baton-mode 1)") == true)
    }
    check(editor(missing: line, isRunning: true, isConnected: true), .passed, nil)
    check(editor(hasPlugin: false, missing: line), .skipped, nil)
  }
}

@Suite struct RunningProgramsTests {
  private let programs = RunningPrograms([
    RunningProgram(process: 10, parent: 1, name: "chromium", arguments: ["/usr/lib/chromium/chromium"]),
    RunningProgram(process: 11, parent: 10, name: "sh", arguments: ["/bin/sh", "/usr/lib/baton/host"]),
    RunningProgram(process: 12, parent: 11, name: "baton", arguments: ["/usr/bin/baton", "browser-host", "x"]),
    RunningProgram(process: 20, parent: 1, name: "bash", arguments: ["-bash"]),
    RunningProgram(process: 21, parent: 1, name: "baton", arguments: ["baton", "shell-host", "20", "/run/x"]),
    // Arguments that only look like it.
    RunningProgram(process: 30, parent: 1, name: "nvim", arguments: ["nvim", "baton", "editor-host"]),
    RunningProgram(process: 31, parent: 30, name: "cat", arguments: ["cat", "baton", "editor-host"]),
    RunningProgram(process: 40, parent: 41, name: "baton", arguments: ["baton", "editor-host"]),
    RunningProgram(process: 41, parent: 40, name: "a", arguments: []),
  ])

  @Test func aHostBelongsToWhoStartedIt() {
    #expect(programs.hasHost("browser-host", ofProgram: ["chromium"]))
    #expect(!programs.hasHost("browser-host", ofProgram: ["firefox-esr"]))
    #expect(!programs.hasHost("editor-host", ofProgram: ["chromium", "nvim"]))
    #expect(programs.hasHost("shell-host"))
    #expect(!programs.hasHost("terminal-host"))
  }

  @Test func aPipelineIsAPartOfItsShell() {
    let shells = RunningPrograms([
      RunningProgram(process: 1, parent: 0, name: "bash", arguments: ["-bash"]),
      RunningProgram(process: 2, parent: 1, name: "bash", arguments: ["bash"]),
      RunningProgram(process: 3, parent: 2, name: "bash", arguments: ["bash"]),
      RunningProgram(process: 4, parent: 3, name: "bash", arguments: ["bash"]),
      RunningProgram(process: 5, parent: 6, name: "sh", arguments: []),
      RunningProgram(process: 6, parent: 5, name: "sh", arguments: []),
    ])
    #expect([1, 2, 3, 4, 9].map(shells.shell(of:)) == [1, 2, 2, 2, 9])
    #expect([5, 6].contains(shells.shell(of: 5)))
  }

  @Test func sandboxedProgramsAreOthers() {
    let programs = RunningPrograms([
      RunningProgram(process: 10, parent: 1, name: "firefox", arguments: ["/app/lib/firefox/firefox"]),
      RunningProgram(process: 11, parent: 1, name: "firefox", arguments: ["/snap/firefox/1/usr/lib/firefox/firefox"]),
      RunningProgram(process: 12, parent: 1, name: "chromium", arguments: ["/application/chromium"]),
    ])
    #expect(!programs.isRunning(["firefox"]))
    #expect(programs.isRunning(["chromium"]))
  }

  @Test func programsHaveNames() {
    #expect(programs.isRunning(["firefox-esr", "chromium"]))
    #expect(!programs.isRunning(["firefox-esr"]))
    #expect(programs.name(of: 20) == "bash")
    #expect(programs.name(of: 99) == nil)
  }

  @Test func theClipboardIsMentionedOnlyIfItIsShared() {
    for desktop in [Verdict.Desktop.x11, .wayland, .none] {
      #expect(Verdict.clipboard(isShared: false, hasHelper: false, desktop, .apt) == nil)
      #expect(Verdict.clipboard(isShared: true, hasHelper: true, desktop, .apt)?.outcome == .passed)
      #expect(Verdict.clipboard(isShared: true, hasHelper: false, desktop, .apt)?.outcome == .note)
    }
    for desktop in [Verdict.Desktop.x11, .wayland] {
      let absent = Verdict.clipboard(isShared: true, isInstalled: false, hasHelper: false, desktop, .apt)
      #expect(absent?.detail.contains("baton-clipboard isn't installed") == true)
    }
    let unseen = Verdict.clipboard(isShared: true, hasHelper: false, .wayland, .apt)
    #expect(unseen?.detail.contains("compositor") == true)
    #expect(unseen?.advice?.contains("baton copy") == true)
  }
}
