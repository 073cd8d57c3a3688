// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import EventLoop
import Systemd

/// The settings of the agent: `/etc/baton/agent.conf`, and the user's own `baton/agent.conf` in `$XDG_CONFIG_HOME`,
/// whose keys replace those of the former. They are read again when they change.
@Loop
final class AgentConfiguration: AgentPart {
  private(set) var settings = AgentSettings()
  /// Called when ``settings`` has changed.
  private var onChange: [@Loop () -> Void] = []

  private let paths: [String]
  private let log: Log
  private var watch: FolderWatch?
  private var complaints: Set<String> = []

  init(_ environment: ProcessEnvironment, log: Log) {
    let home = environment.directory("XDG_CONFIG_HOME") ?? environment.directory("HOME").map { "\($0)/.config" }
    paths = ["/etc/baton/agent.conf"] + [home].compactMap(\.self).map { "\($0)/baton/agent.conf" }
    self.log = log
  }

  /// Calls a closure once there are settings, and when they have changed.
  func observe(_ body: @escaping @Loop () -> Void) {
    onChange.append(body)
    body()
  }

  /// Reads the settings. Other parts use them when they start.
  func start() { read() }

  func stop() {
    onChange = []
    watch = nil
  }

  /// Watches before it reads, so that it does not miss changes in between.
  private func read() {
    watch = try? FolderWatch()
    watch?.onChange = { [weak self] in self?.read() }
    for path in paths { watch?.add(path) }
    var settings = AgentSettings()
    var complaints: Set<String> = []
    for path in paths {
      do throws(SystemError) {
        guard let bytes = try SettingsFile.contents(of: path, limit: Limits.agentFileLength) else { continue }
        for fault in settings.read(String(decoding: bytes, as: UTF8.self)) { complaints.insert("\(path): \(fault)") }
      } catch {
        complaints.insert("Can't read \(path): \(error)")
      }
    }
    for complaint in complaints.subtracting(self.complaints).sorted() { log.warning(complaint) }
    self.complaints = complaints
    guard settings != self.settings else { return }
    self.settings = settings
    log.info("The settings changed")
    for tell in onChange { tell() }
  }

  func applicationsChanged() {}
}
