// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonDaemon
import CommandLineOptions
import Discovery
import EventLoop
import Glibc
import Systemd

/// Arguments in, exit status out.
@main
enum Main {
  static func main() {
    StandardDescriptors.open()
    hideMemory()
    Signals.ignoreBrokenPipes()
    Signals.ignoreFileSize()
    let words = CommandLine.arguments
    // Swift reads them from /proc. Without them, batond would serve another place than the one it was given.
    if words.isEmpty {
      Terminal.fail("batond: Can't read the arguments. Check that /proc is mounted.", status: .failure)
    }
    let arguments: DaemonArguments
    do throws(UsageError) {
      arguments = try DaemonArguments(Array(words.dropFirst()))
    } catch {
      Terminal.fail("batond: \(error)", status: .usage)
    }
    switch arguments.action {
    case .help: Terminal.print(DaemonOptions.helpText)
    case .version: Terminal.print("batond \(Version.current)")
    case .checkConfiguration: checkConfiguration(arguments)
    case .checkReload: checkReload(arguments)
    case .reload: reload(arguments)
    case .run: run(arguments)
    }
  }

  /// Call this before any key is in memory.
  private static func hideMemory() {
    do throws(SystemError) {
      try OwnMemory.hide()
    } catch {
      Terminal.fail("batond: Can't exclude its memory from core dumps: \(error)", status: .failure)
    }
  }

  /// Also fails for unknown sections and keys, although batond would start with them.
  private static func checkConfiguration(_ arguments: DaemonArguments) {
    let reader = arguments.readConfiguration()
    guard reader.faults.isEmpty else { fail(reader.faults) }
    Terminal.print(reader.text)
  }

  /// Fails only for what a reload would refuse. The reload itself reports what it only warns about.
  private static func checkReload(_ arguments: DaemonArguments) {
    let errors = arguments.readConfiguration().errors
    if !errors.isEmpty { refuse(errors) }
  }

  /// The signal comes from here, because a minimal system has no kill(1).
  private static func reload(_ arguments: DaemonArguments) {
    checkReload(arguments)
    guard let process = arguments.reloaded, kill(process, SIGHUP) != 0 else { return }
    let text = "Can't have process \(process) reload"
    Terminal.fail("batond: \(SystemError(text)).", status: .failure)
  }

  private static func fail(_ faults: [ConfigurationFault]) -> Never {
    let lines = faults.map { "batond: \(Printable.text($0.description))" }
    Terminal.fail(lines.joined(separator: "\n"), status: .configuration)
  }

  /// Like ``fail``, but the journal gets a separate entry for each fault, with a level.
  private static func refuse(_ faults: [ConfigurationFault]) -> Never {
    guard Journal.hasStandardError else { fail(faults) }
    Reloading.tell(faults, Log(level: .warning).lastWords)
    exit(DaemonExitStatus.configuration.rawValue)
  }

  private static func run(_ arguments: DaemonArguments) {
    // Immediately, so that a reload requested during the start happens after it, and does not end the process.
    Signals.hold(stopSignals + [SIGHUP])
    Signals.ignoreStray()
    if let fault = ResourceLimits.fault(ResourceLimits.batond) {
      Terminal.fail("batond: \(fault)", status: .configuration)
    }
    // A later start may succeed, when other processes of the user have ended.
    if let fault = ThreadCheck.fault() { Terminal.fail("batond: \(fault)", status: .failure) }
    DispatchDescriptors.open()
    let reader = arguments.readConfiguration()
    guard reader.errors.isEmpty else { refuse(reader.faults) }
    umask(0o077)
    Task { @Loop in
      let log = Log(level: reader.configuration.logLevel)
      do throws(SystemError) {
        try OtherPrograms.forbid()
      } catch {
        log.warning("batond can't prevent itself from running programs", ["error": "\(error)"])
      }
      Reloading.tell(reader.faults, log)
      let keys: StateKeys
      do throws(ServiceCredentialError) {
        keys = StateKeys(
          current: try ServiceCredential.key("baton.state-key"),
          previous: try ServiceCredential.key("baton.previous-state-key")
        )
      } catch {
        log.lastWords.error(error.description)
        exit(DaemonExitStatus.configuration.rawValue)
      }
      do throws(DaemonError) {
        let daemon = try make(reader.configuration, arguments.placement, keys, log)
        daemon.start()
        running = Reloading(daemon: daemon, log: log)
      } catch {
        log.lastWords.error(error.description)
        exit(DaemonExitStatus(error.code).rawValue)
      }
    }
    // On the loop, this comes after the task above.
    Signals.wait(for: stopSignals + [SIGHUP]) { signal in
      if signal == SIGHUP {
        running?.run(arguments)
      } else {
        running?.daemon.stop { exit(DaemonExitStatus.success.rawValue) }
      }
    }
  }

  @Loop private static func make(
    _ configuration: Configuration,
    _ placement: Placement,
    _ keys: StateKeys,
    _ log: Log
  ) throws(DaemonError) -> Daemon {
    let makeDiscovery: @Loop (InterfacePolicy) -> any ServiceDiscovery = { interfaces in
      AvahiDiscovery(interfaces: interfaces) { log.info($0) }
    }
    let passed = PassedDescriptors.take()
    var keep: (@Loop ([StoredDescriptor]) -> Void)?
    if DescriptorStore.capacity >= KeptStreams.capacity { keep = { DescriptorStore.keep($0) } }
    var keepPort: (@Loop (Int32) -> Void)?
    if DescriptorStore.capacity > KeptStreams.capacity { keepPort = { DescriptorStore.hold($0, as: "peers") } }
    return try Daemon(
      configuration,
      placement: placement,
      log: log,
      makeDiscovery: makeDiscovery,
      login: Logind { log.debug($0) },
      listeners: passed.listeners,
      kept: passed.stored,
      stateKeys: keys,
      keep: keep,
      ports: passed.ports,
      keepPort: keepPort
    )
  }

  /// Lives as long as the process.
  @Loop private static var running: Reloading?

  private static let stopSignals = [SIGTERM, SIGINT]
}
