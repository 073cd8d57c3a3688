// SPDX-License-Identifier: Apache-2.0

import Desktop
import EventLoop
import Glibc
import Systemd

/// The helper in the user's session. It starts the apps that continue activities, shows web pages if there is no app,
/// and shows what other machines offer.
///
/// It only wires its parts. Each is independent, has its own file, and is added in ``init(_:)``.
@Loop
package final class Agent {
  /// The time after which the agent counts as started, even if the daemon does not answer.
  private static let launcherStartTime = Duration.seconds(3)

  package let options: AgentOptions
  package let log: Log
  package let installed: InstalledApplications
  private var parts: [any AgentPart] = []
  /// Reports readiness if the daemon does not answer.
  private var readiness: Timer?
  private var watchdog: Watchdog?
  private var memory: MemoryReturn?

  package init(_ options: AgentOptions) {
    self.options = options
    log = Log(level: options.logLevel, identifier: "baton-agent")
    let environment = ProcessEnvironment.current
    installed = InstalledApplications(environment, log: log)
    let associations = Associations(environment, installed: installed, log: log)
    let chosen = ChosenApplications(environment, log: log)
    let launching = LaunchService(
      options,
      environment,
      installed: installed,
      associations: associations,
      chosen: chosen,
      log: log
    )
    let configuration = AgentConfiguration(environment, log: log)
    parts = [configuration, installed, associations, launching]
    parts.append(PlaybackPart(options, configuration, launching, log: log))
    var transfers: TransferPart?
    do {
      let server = try AgentServer(environment, passed: PassedDescriptors.take().listeners)
      if let search = SearchPart(options, environment, configuration, on: server.server, installed: installed, log: log)
      {
        parts.append(search)
      }
      transfers = TransferPart(options, environment, configuration, on: server.server, log: log)
      if let transfers { parts.append(transfers) }
      parts.append(ClipboardPart(options, environment, configuration, on: server.server, log: log))
      if let ports = PortPart(options, environment, on: server.server, log: log) { parts.append(ports) }
      parts.append(server)
    } catch {
      log.warning("Search and file transfers aren't available: \(error)")
    }
    if options.showsNotifications {
      let notifications = NotificationService(socket: options.socket, environment, log: log) {
        [installed, weak transfers] offer in
        guard transfers?.mayAsk(offer) ?? true else { return nil }
        return OfferNotice(offer, installed.catalog, chosen.choices, environment)
      }
      parts.append(notifications)
      if let transfers { parts.append(transfers.notifier(beside: notifications, environment)) }
    }
    launching.onState = { [weak self] in self?.tell(isRegistered: $0) }
    readiness = Timer { [weak self] in self?.tell(isRegistered: false) }
    installed.onChange = { [weak self] in self?.parts.forEach { $0.applicationsChanged() } }
  }

  /// Starts every part. The agent is ready when the daemon knows about it, or when no daemon answers. Whatever started
  /// it can then open an offer.
  package func start() {
    readiness?.set(Loop.now + Self.launcherStartTime)
    watchdog = Watchdog()
    for part in parts { part.start() }
    memory = MemoryReturn()
    log.notice("Started the agent")
  }

  private func tell(isRegistered: Bool) {
    readiness?.set(nil)
    ServiceManager.ready(status: isRegistered ? "Waiting for activities to continue" : "Waiting for batond")
  }

  /// - Parameter completion: Called once every part has stopped, perhaps before this returns.
  package func stop(_ completion: @escaping @Loop () -> Void) {
    ServiceManager.stopping()
    readiness?.set(nil)
    memory = nil
    stop(parts[...]) { [log] in
      log.lastWords.notice("Stopped the agent")
      completion()
    }
  }

  /// Stops the parts one after the other, the last first.
  private func stop(_ parts: ArraySlice<any AgentPart>, _ completion: @escaping @Loop () -> Void) {
    guard let last = parts.last else { return completion() }
    last.stop { [weak self] in self?.stop(parts.dropLast(), completion) }
  }

  /// The agent that lives as long as the process.
  private static var running: Agent?

  /// Runs an agent until SIGTERM or SIGINT, then ends the process. For the main thread of a process without other
  /// threads.
  ///
  /// - Throws: If another agent of the user is running.
  package nonisolated static func run(_ options: AgentOptions) throws(AgentLock.Taken) -> Never {
    // The process holds the lock until it ends.
    _ = try AgentLock(socket: options.socket)
    let stopSignals = [SIGTERM, SIGINT]
    Signals.ignoreBrokenPipes()
    Signals.ignoreStray()
    Signals.hold(stopSignals)
    Task { @Loop in
      let agent = Agent(options)
      running = agent
      agent.start()
    }
    // On the loop, this comes after the task above.
    Signals.wait(for: stopSignals) { _ in
      running?.stop { exit(0) }
    }
  }
}
