// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import EventLoop
import Foundation
import Testing

@testable import BatonCommand

/// A folder that looks like a machine with browsers, for as long as a test runs.
final class BrowserMachine {
  static let chromium = ["resources.pak", "icudtl.dat", "chrome_100_percent.pak"]
  static let firefox = ["application.ini", "omni.ja", "browser/omni.ja"]
  let root: String
  let id = String(repeating: "a", count: 32)

  init() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "browsers-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder + "/home", withIntermediateDirectories: true)
    root = try #require(SymbolicLink.resolved(folder))
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  func write(_ path: String, _ text: String = "", isProgram: Bool = false) throws {
    let url = URL(filePath: root + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    if isProgram { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: url.path) }
  }

  func write(_ folder: String, _ files: [String], program: String) throws {
    for file in files { try write("\(folder)/\(file)") }
    try write("\(folder)/\(program)", isProgram: true)
  }

  /// - Parameter target: A path of the machine, or one from the link's folder.
  func link(_ path: String, to target: String) throws {
    let url = URL(filePath: root + path)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    let destination = target.utf8.first == UInt8(ascii: "/") ? root + target : target
    try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: destination)
  }

  func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: root + path) }

  func findings(_ programs: [RunningProgram] = [], path: String = "/bin") -> ProgramFindings {
    ProgramFindings(
      environment: ProcessEnvironment(["PATH": root + path, "HOME": "\(root)/home"]),
      running: RunningPrograms(programs),
      caller: 0,
      root: root
    )
  }

  var titles: [String] { findings().browsers.map(\.title) }

  /// The only browser.
  func browser(_ programs: [RunningProgram] = []) throws -> Verdict.Browser {
    let browsers = findings(programs).browsers
    try #require(browsers.count == 1)
    return browsers[0]
  }

  /// A desktop entry of a browser.
  func entry(_ exec: String) -> String {
    "[Desktop Entry]\nType=Application\nName=B\nExec=\(exec)\nCategories=Network;WebBrowser;\n"
  }

  /// What a package installs for browsers that look for hosts in this folder below `/etc`.
  func writeHost(_ configuration: String) throws {
    let manifest = #"{"path": "/usr/lib/baton/browser-host", "allowed_origins": ["chrome-extension://\#(id)/"]}"#
    try write("/etc/\(configuration)/native-messaging-hosts/io.baton.browser.json", manifest)
    try write("/usr/lib/baton/browser-host", isProgram: true)
  }

  /// Baton's policy.
  func writePolicy(_ configuration: String) throws {
    let own = #"{"ExtensionSettings": {"\#(id)": {"installation_mode": "normal_installed"}}}"#
    try write("/etc/\(configuration)/policies/managed/!baton.json", own)
  }
}
