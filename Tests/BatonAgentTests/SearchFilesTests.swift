// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import Testing

@testable import BatonAgent

/// The files by which desktops find the provider name what it answers to.
@Loop struct SearchFilesTests {
  /// The keys of a file in `Config` that has one group, without its name.
  private func keys(_ name: String, group: String) throws -> [String: String] {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Config/\(name)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    try #require(lines.first == "[\(group)]")
    return Dictionary(
      lines.dropFirst().map { line in
        let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        return (parts[0], parts.count == 2 ? parts[1] : "")
      }
    ) { "\($0) and \($1)" }
  }

  @Test func theBusStartsTheAgentForItsName() throws {
    let keys = try keys("dbus/\(SearchProvider.name).service", group: "D-BUS Service")
    #expect(
      keys == [
        "Name": SearchProvider.name, "Exec": "@prefix@/bin/baton agent", "SystemdService": "baton-agent.service",
      ]
    )
  }

  @Test func gnomeShellAsksTheProvider() throws {
    let name = "gnome-shell/\(SearchProvider.name).search-provider.ini"
    let keys = try keys(name, group: "Shell Search Provider")
    #expect(keys["BusName"] == SearchProvider.name)
    #expect(keys["ObjectPath"] == SearchProvider.path)
    #expect(keys["Version"] == "2")
    // GNOME Shell leaves out a provider whose entry is hidden.
    let entry = try self.keys(try #require(keys["DesktopId"]), group: "Desktop Entry")
    #expect(entry["NoDisplay"] == nil && entry["Hidden"] == nil)
    #expect(entry["OnlyShowIn"] == "GNOME;")
    #expect(entry["Name"]?.isEmpty == false && entry["Icon"]?.isEmpty == false)
  }

  @Test func kRunnerAsksTheProvider() throws {
    let keys = try keys("krunner/\(SearchProvider.name).desktop", group: "Desktop Entry")
    #expect(keys["X-Plasma-API"] == "DBus")
    #expect(keys["X-Plasma-DBusRunner-Service"] == SearchProvider.name)
    #expect(keys["X-Plasma-DBusRunner-Path"] == SearchProvider.path)
    #expect(keys["X-KDE-PluginInfo-EnabledByDefault"] == "true")
    #expect(keys["X-KDE-ServiceTypes"] == "Plasma/Runner")
  }
}
