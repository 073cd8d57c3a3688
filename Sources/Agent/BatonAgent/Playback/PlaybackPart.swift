// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Desktop
import EventLoop
import Hosts
import Systemd

/// Offers what is played here, and plays what other machines offer.
@Loop
final class PlaybackPart: AgentPart {
  private let socket: String?
  private let configuration: AgentConfiguration
  private let launching: LaunchService
  private let documents: EditorDocuments
  private let notice: PlaybackNotice?
  private let log: Log
  private var origin: PlaybackOrigin?
  private var choice = TeamChoice.none
  private var isStopped = true
  /// What is being opened, by the daemon's name of the request.
  private var launches: [String: PlaybackLaunch] = [:]

  init(_ options: AgentOptions, _ configuration: AgentConfiguration, _ launching: LaunchService, log: Log) {
    socket = options.socket
    (self.configuration, self.launching, self.log) = (configuration, launching, log)
    documents = EditorDocuments(socket: options.socket)
    notice = options.showsNotifications ? PlaybackNotice(log: log) : nil
    launching.play = { [weak self] in self?.play($0) }
  }

  func start() {
    isStopped = false
    configuration.observe { [weak self] in self?.apply() }
  }

  /// Without a team, no player is watched.
  private func apply() {
    let new = configuration.settings.playback.teams
    guard !isStopped, new != choice else { return }
    choice = new
    origin?.stop()
    origin = new == .none ? nil : PlaybackOrigin(socket: socket, new, log: log)
    origin?.start()
  }

  func stop() {
    isStopped = true
    origin?.stop()
    origin = nil
    for launch in launches.values { launch.stop() }
    launches = [:]
  }

  func applicationsChanged() {}

  private func play(_ launch: Launch) {
    let name = launch.request.launch
    let playing = PlaybackLaunch(launch, launching, documents, notice, log: log) { [weak self] in
      self?.launches[name] = nil
    }
    launches[name] = playing
    playing.begin()
  }
}
